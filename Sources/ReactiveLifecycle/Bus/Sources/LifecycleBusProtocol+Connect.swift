extension LifecycleBusProtocol {
  /// Connects a source. The phase that it finds has been reported before this returns, when it is
  /// called where the bus delivers.
  ///
  /// Any number of sources can be connected, at any time, also from inside an observer.
  ///
  /// ```swift
  /// let lock = try bus.connect(session, as: .ceiling)
  /// ```
  ///
  /// - Parameters:
  ///   - source: What to connect.
  ///   - role: What its reports mean for the phase.
  /// - Returns: The connection. Cancelling or releasing it detaches the source and withdraws what it
  ///   said: the bus moves to the phase that follows from the others. What the source sends after that
  ///   is suppressed as `disconnected`. A delivery that is under way continues.
  /// - Throws: What the source throws when it cannot start.
  public func connect(
    _ source: some LifecycleSource,
    as role: LifecycleRole = .presence
  ) throws -> LifecycleCancellable {
    try core.connect(source, as: role)
  }
}

extension LifecycleBusCore {
  /// - Parameter limit: How far forward a ceiling lets a new bus be before its first transition.
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
