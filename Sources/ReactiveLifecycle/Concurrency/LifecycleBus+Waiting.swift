extension LifecycleBus {
  // MARK: Again and again

  /// Runs an asynchronous body on every arrival at a phase that is at least a given one, and
  /// cancels it on leaving, until the bus ends.
  ///
  /// The body runs on the main actor.
  ///
  /// - The body starts a turn of the executor after the arrival, or after the call if the phase is
  ///   there, and not at all if the phase has been left by then.
  /// - Leaving cancels the body inside the delivery: its cancellation handlers have run when the
  ///   event's delivery ends. The rest of its clean-up takes turns of the executor.
  /// - The next run waits for that clean-up: never two at once. A body that returns by itself is
  ///   run again at the next arrival.
  /// - Task-local values and the priority of the caller reach the body. The bus is not kept alive.
  ///
  /// ```swift
  /// try await bus.repeatWhile(atLeast: .active) {
  ///   for await reading in sensor.readings { show(reading) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - phase: The phase that is enough. The condition is always met for `terminated` and
  ///     `unknown`, which are reported at the caller's line.
  ///   - body: What to run. A `CancellationError` that it throws after it was cancelled is its
  ///     normal end.
  /// - Throws: What the body throws, after which nothing more is run; `CancellationError` if the
  ///   calling task is cancelled, after the body's clean-up.
  @MainActor
  public consuming func repeatWhile(
    atLeast phase: LifecyclePhase,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @MainActor () async throws -> Void
  ) async throws {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = (consume self).core.core
    try await core.repeatWhile(.atLeast(phase), site, body)
  }

  /// Runs an asynchronous body on every arrival at a phase that is at most a given one, and cancels
  /// it on leaving, until the bus ends.
  ///
  /// The rules are those of `repeatWhile(atLeast:)`. The body of a bus that terminates is cancelled
  /// after `willTerminate`, even if the bound is `terminated`.
  ///
  /// ```swift
  /// try await bus.repeatWhile(atMost: .background) {
  ///   try await cache.shrink()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - phase: The phase that is far enough back. `unknown`, before the launch, comes before
  ///     `background`. `active`, for which the condition is always met, and `terminated`, which leaves
  ///     no time for a body, are reported at the caller's line.
  ///   - body: What to run. A `CancellationError` that it throws after it was cancelled is its
  ///     normal end.
  /// - Throws: What the body throws, after which nothing more is run; `CancellationError` if the
  ///   calling task is cancelled, after the body's clean-up.
  @MainActor
  public consuming func repeatWhile(
    atMost phase: LifecyclePhase,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @MainActor () async throws -> Void
  ) async throws {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = (consume self).core.core
    try await core.repeatWhile(.atMost(phase), site, body)
  }

  // MARK: Once

  /// Runs a synchronous closure once, inside the delivery of the event that brings a phase that is
  /// at least a given one, and returns its value.
  ///
  /// At once, before anything else can happen on the main actor, if the phase is there and nothing
  /// is in delivery; the phase is certain while it runs. The bus is not kept alive.
  ///
  /// ```swift
  /// let size = try await bus.runOnce(atLeast: .inactive) { window.size }
  /// ```
  ///
  /// - Parameters:
  ///   - phase: The phase that is enough. The condition is always met for `terminated` and
  ///     `unknown`, which are reported at the caller's line.
  ///   - body: What to run. Once it has begun, its result is returned even if the task is cancelled
  ///     meanwhile.
  /// - Throws: What the body throws. Without running it: `CancellationError` if the task is
  ///   cancelled before, ``LifecycleBusEndedError`` if the bus ends first or has ended.
  @MainActor
  public consuming func runOnce<Value: Sendable>(
    atLeast phase: LifecyclePhase,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @MainActor () throws -> Value
  ) async throws -> Value {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = (consume self).core.core
    return try await core.runOnce(.atLeast(phase), site, onMainActor(body))
  }

  /// Runs a synchronous closure once, inside the delivery of the event that brings a phase that is
  /// at most a given one, and returns its value.
  ///
  /// It is finished before the delivery ends, and so before the process may be suspended.
  ///
  /// ```swift
  /// try await bus.runOnce(atMost: .background) { try document.save() }
  /// ```
  ///
  /// - Parameters:
  ///   - phase: The phase that is far enough back. `unknown`, before the launch, comes before
  ///     `background`; `terminated` is reached when `willTerminate` is delivered. `active`, for which
  ///     the condition is always met, is reported at the caller's line.
  ///   - body: What to run. Once it has begun, its result is returned even if the task is cancelled
  ///     meanwhile.
  /// - Throws: What the body throws. Without running it: `CancellationError` if the task is
  ///   cancelled before, ``LifecycleBusEndedError`` if the bus ends first or has ended.
  @MainActor
  public consuming func runOnce<Value: Sendable>(
    atMost phase: LifecyclePhase,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @MainActor () throws -> Value
  ) async throws -> Value {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = (consume self).core.core
    return try await core.runOnce(.atMost(phase), site, onMainActor(body))
  }
}
