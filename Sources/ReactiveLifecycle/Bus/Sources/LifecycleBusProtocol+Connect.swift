extension LifecycleBusProtocol {
  /// Connects a source.
  ///
  /// If this method is called where the bus delivers, the phase that the source finds has been
  /// reported before the method returns. Any number of sources can be connected, at any time, also
  /// from inside an observer.
  ///
  /// ```swift
  /// try bus.connect(session, as: .ceiling).store(in: scope)
  /// ```
  ///
  /// - Parameters:
  ///   - source: The source to connect.
  ///   - role: The effect of the source's reports on the phase.
  /// - Returns: The connection. Cancelling or releasing it detaches the source and withdraws the
  ///   source's reports: the bus moves to the phase that follows from the other sources. Anything
  ///   that the source sends after that is suppressed as `disconnected`. A delivery that is under
  ///   way continues.
  /// - Throws: The error that the source throws if it cannot start.
  public func connect(
    _ source: some LifecycleSource,
    as role: LifecycleRole = .participant(.application)
  ) throws -> LifecycleCancellable {
    try core.connect(source, as: role)
  }
}

extension LifecycleBusCore {
  /// Connects a source.
  ///
  /// - Parameter limit: The furthest phase that a ceiling allows a new bus before its first
  ///   transition.
  func connect(
    _ source: some LifecycleSource,
    as role: LifecycleRole,
    limit: LifecyclePhase = .unknown
  ) throws -> LifecycleCancellable {
    let input = LifecycleFeed(.init(name: source.name, role: role, limit: limit), to: self)
    do {
      let stop = try source.start(input)
      return LifecycleCancellable {
        input.disconnect()
        stop()
      }
    } catch {
      input.disconnect()
      throw error
    }
  }
}
