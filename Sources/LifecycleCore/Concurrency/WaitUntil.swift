extension LifecycleBusProtocol {
  /// Waits until the phase meets a condition.
  ///
  /// If the phase meets it already, the call returns at once, without giving up the thread.
  /// Otherwise the caller continues in a later turn of its executor, when the phase may have
  /// changed again, or the process may have been suspended in between; work that must be done
  /// inside the delivery of the event belongs in an observer. Thread-safe. The bus is not kept
  /// alive.
  ///
  /// ```swift
  /// try await bus.waitUntil(.active)
  /// ```
  ///
  /// With `.background` it does not return before the launch; a launch to the foreground goes
  /// through the background, too. With `.atMost(.terminated)` it waits for the end of the process,
  /// and returns after `willTerminate` has been delivered.
  ///
  /// - Parameter condition: The condition to wait for. A condition that every phase meets is
  ///   reported at the caller's line.
  /// - Throws: `CancellationError` if the task is cancelled before or while it waits, even if the
  ///   phase meets the condition; ``LifecycleBusEndedError`` if the bus ends first or has ended.
  public nonisolated(nonsending) consuming func waitUntil(
    _ condition: LifecyclePhase.Condition,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws {
    let site = CallSite(fileID, filePath, line, column)
    let core = (consume self).core
    condition.reportIfAlwaysMet(
      "waitUntil does not wait",
      atTheEnd: "use waitUntil(.atMost(.terminated)), or observe willTerminate",
      site
    )
    try await core.waitUntil(condition, site)
  }
}

extension LifecycleBusCore {
  /// - Parameter isolation: The caller's actor. A parameter, because `nonisolated(nonsending)` does
  ///   not apply to the closure with which the listener waits.
  fileprivate func waitUntil(
    isolation: isolated (any Actor)? = #isolation,
    _ condition: LifecyclePhase.Condition,
    _ site: CallSite
  ) async throws {
    try Task.checkCancellation()
    let phase = phase
    guard phase != .terminated else { throw LifecycleBusEndedError(condition) }
    if condition.contains(phase) { return }
    // Events, and not phases, as for protected data: the buffer of a type takes much code.
    let arrivals = LifecyclePublisher(
      core: self,
      stream: .events(.transitions),
      catchUp: .currentPhase
    ).listener(site) { condition.contains($0.phase) }
    if await arrivals.next(isolation: isolation) != nil { return }
    try Task.checkCancellation()
    throw LifecycleBusEndedError(condition)
  }
}

/// The error that a call that waits for a phase, or for protected data, throws if the bus ends
/// first, or has ended.
///
/// A bus ends when the process terminates, or when the bus is released.
///
/// ```swift
/// do {
///   try await bus.waitUntil(.active)
/// } catch let error as LifecycleBusEndedError {
///   print(error)
/// }
/// ```
public struct LifecycleBusEndedError: Error, Sendable, Hashable {
  /// The state that was waited for, as a clause in the past tense.
  let awaited: String

  init(_ condition: LifecyclePhase.Condition) {
    self.init("its phase was \(condition)")
  }

  init(_ awaited: String) {
    self.awaited = awaited
  }
}

extension LifecycleBusEndedError: CustomStringConvertible {
  /// The condition that was not met, and what to do.
  public var description: String {
    """
    The lifecycle bus ended before \(awaited), and it delivers no more events. Catch this error \
    to stop work that depends on that. If the process continues, keep a reference to the bus while \
    a task waits.
    """
  }
}
