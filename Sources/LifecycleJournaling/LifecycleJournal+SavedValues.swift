public import ReactiveLifecycle

extension LifecycleJournal {
  /// Saves a value each time that the bus delivers `didEnterBackground` or `willTerminate`, until
  /// the scope ends. If an input fills in a `didEnterBackground` on the way to `willTerminate`, the
  /// value is saved at the former only, and what observers of `willTerminate` change is not saved.
  ///
  /// The next launch restores it by ``value(_:forKey:)``:
  ///
  /// ```swift
  /// draft.text = try journal.value(forKey: "draft") ?? ""
  /// journal.saveValue(forKey: "draft", of: bus, in: scope) { draft.text }
  /// ```
  ///
  /// The closure runs on the main actor, in the journal's turn: after the observers of the event
  /// that were registered after the journal. Everything that is saved at an event is one record
  /// with the transition itself, so that saving causes no additional write. For details, see
  /// <doc:Journal>.
  ///
  /// A value that can't be encoded, or for which there is no room, is reported at the caller's
  /// line; the value saved before, and all others, are kept. If the scope has ended, or if the
  /// journal records another bus, nothing will be saved, which is reported there, too. After
  /// ``end()``, nothing is saved.
  ///
  /// - Parameters:
  ///   - key: The name of the value. Replaces what the scope saves under the same key. Of several
  ///     scopes that save under one key, the last to begin counts, until it ends.
  ///   - bus: The bus that the journal records.
  ///   - scope: The scope that ends this. The saved value is kept.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  ///   - value: Returns the value to save; nil removes the one saved before.
  public func saveValue<Value: Encodable>(
    forKey key: String,
    of bus: LifecycleBus,
    in scope: consuming LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ value: @escaping @MainActor () -> Value?
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let provide = onMainActor(value)
    // The conformance of a type may be isolated to the main actor, and so is the call.
    let encode = UncheckedSendable { try Self.encode(provide()) }
    save(key, bus, consume scope, site) { try encode.value() }
  }

  /// Saves a value each time that the bus delivers `didEnterBackground` or `willTerminate`, until
  /// the scope ends, like
  /// ``saveValue(forKey:of:in:fileID:filePath:line:column:_:)-(_,LifecycleBus,_,_,_,_,_,_)``.
  ///
  /// The closure runs on the thread that sends the event; for a `LifecycleBus`, on the main actor.
  ///
  /// - Parameters:
  ///   - key: The name of the value. Replaces what the scope saves under the same key.
  ///   - bus: The bus that the journal records.
  ///   - scope: The scope that ends this. The saved value is kept.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  ///   - value: Returns the value to save; nil removes the one saved before.
  @_disfavoredOverload
  public func saveValue<Value: Encodable & SendableMetatype>(
    forKey key: String,
    of bus: some LifecycleBusProtocol,
    in scope: consuming LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ value: @escaping @Sendable () -> Value?
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    save(key, bus, consume scope, site) { try Self.encode(value()) }
  }

  /// Identifies a saved value among the observers of its scope.
  private struct SavedValueID: Hashable {
    let journal: ObjectIdentifier
    let key: String
  }

  private func save(
    _ key: String,
    _ bus: some LifecycleBusProtocol,
    _ scope: consuming LifecycleScope,
    _ site: CallSite,
    _ provide: @escaping @Sendable () throws -> [UInt8]?
  ) {
    guard ObjectIdentifier(bus.core) == busID else {
      site.report(
        """
        The value for "\(key)" won't be saved because the journal \(core.path) records another \
        bus. Pass the bus that the journal was opened with.
        """
      )
      return
    }
    let value = SavedValue(forKey: key, in: scope.name, site, provide)
    let scopeCore = (consume scope).core
    let observer = bus.core.addObserver(
      SavedValueMachine.kinds,
      in: scopeCore,
      id: SavedValueID(journal: ObjectIdentifier(core), key: key),
      site
    ) { [weak core] event in
      guard let core, !core.isClosed else { return value.cancel() }
      if value.asks(at: event) { core.savedValues.append(value) }
    }
    value.hold(observer)
  }
}
