import LifecycleSupport

extension LifecycleBusProtocol {
  /// Connects a source whenever the bus has an observer, and only then.
  ///
  /// The source starts after the first observer has joined, and stops after the last one has left.
  /// Use it for a source that costs energy while it runs, such as one that watches the memory.
  ///
  /// ```swift
  /// bus.connectWhileObserved(sensor, for: .didReceiveMemoryWarning).store(in: scope)
  /// ```
  ///
  /// - Observers are closures, subscribers of publishers, sequences, waiting tasks, the features
  ///   that follow the bus, and the buses that it feeds, if they receive one of the kinds.
  ///   Observers of exit requests and of ``suppressedInputs`` do not count, nor does a scope that
  ///   ends at an event.
  /// - The source starts and stops where the bus delivers, in turn: before the call that adds or
  ///   cancels the observer returns, if nothing is in delivery and the call is made there;
  ///   otherwise after what the bus has accepted. An observer that comes and goes before that
  ///   starts nothing.
  /// - An observer whose owner has been released counts until the bus notices that, at the
  ///   observer's next event or as others register.
  /// - While the source is not connected, it reports nothing: the bus keeps its phase, or takes
  ///   that of its other sources.
  ///
  /// Thread-safe.
  ///
  /// - Parameters:
  ///   - source: The source to connect.
  ///   - kinds: The kinds that an observer must receive to count.
  ///   - role: The effect of the source's reports on the phase.
  ///   - onFailure: Called with the error that the source throws if it cannot start, where the bus
  ///     delivers. The next first observer starts it again. If nil, the error is reported at the
  ///     caller's line.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: The connection. Cancelling or releasing it, and the end of the bus, stop the source
  ///   permanently.
  /// - Complexity: O(*n*) in the observers.
  public func connectWhileObserved(
    _ source: some LifecycleSource,
    for kinds: LifecycleEvent.Kinds = .all,
    as role: LifecycleRole = .participant(.application),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    onFailure: (@Sendable (any Error) -> Void)? = nil
  ) -> LifecycleCancellable {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return core.connectWhileObserved(source, for: kinds, as: role, site, onFailure)
  }
}

extension LifecycleBusCore {
  fileprivate func connectWhileObserved(
    _ source: some LifecycleSource,
    for kinds: LifecycleEvent.Kinds,
    as role: LifecycleRole,
    _ site: CallSite,
    _ onFailure: (@Sendable (any Error) -> Void)?
  ) -> LifecycleCancellable {
    let connection = ObservedConnection {
      try self.connect(source, as: role)
    } onFailure: { error in
      if let onFailure { return onFailure(error) }
      site.report(
        """
        The source "\(source.name)" could not start when the bus began to be observed: \(error) \
        It is started again with the next first observer. To handle the error, pass `onFailure`.
        """
      )
    }
    // Given up by the caller, or with the bus.
    let link = ScopeCore(name: "")
    link.admit { _ in CancellableBox(LifecycleCancellable { connection.end() }) }
    end(link, at: [], site)
    addObservation(of: kinds, until: link) { connection.note(isObserved: $0) }
    return LifecycleCancellable { link.end() }
  }

  /// - Parameter body: Called where the bus delivers, one call at a time.
  private func addObservation(
    of kinds: LifecycleEvent.Kinds,
    until scope: ScopeCore,
    _ body: @escaping @Sendable (_ isObserved: Bool) -> Void
  ) {
    let take: ObservationTable.Body = { id in
      let change = self.machine.withLock { $0.observations.takeChange(id) }
      if let change { body(change) }
    }
    guard let id = machine.withLock({ $0.addObservation(of: kinds, take) }) else { return }
    scope.admit { _ in
      CancellableBox(LifecycleCancellable { self.machine.discard { $0.removeObservation(id) } })
    }
    update { _ in }
  }
}
