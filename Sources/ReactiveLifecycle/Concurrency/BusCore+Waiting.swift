/// What a task waits for, for both kinds of bus. Each row is gone when its call returns or throws.
extension BusCore {
  nonisolated(nonsending) func reach(_ condition: PhaseCondition, _ site: CallSite) async throws {
    try Task.checkCancellation()
    let phase = phase
    if phase != .terminated, condition.contains(phase) { return }
    try await runOnce(condition, site) {}
  }

  nonisolated(nonsending) func runOnce<Value: Sendable>(
    _ condition: PhaseCondition,
    _ site: CallSite,
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let arrival = Arrival(condition, work)
    let row = ListenerRow(core: self, kinds: .transitions, site: site, listener: arrival)
    defer { row.cancel() }
    return try await withTaskCancellationHandler {
      listen(row)
      return try await arrival.value()
    } onCancel: {
      arrival.abandon(CancellationError())
    }
  }

  /// - Parameter isolation: The caller's, where the runs wait for their turn.
  func repeatWhile(
    isolation: isolated (any Actor)? = #isolation,
    _ condition: PhaseCondition,
    _ site: CallSite,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try Task.checkCancellation()
    let visits = Visits(condition)
    let row = ListenerRow(core: self, kinds: .transitions, site: site, listener: visits)
    defer { row.cancel() }
    try await withTaskCancellationHandler {
      listen(row)
      while try await visits.runNext(isolation: isolation, body) {}
    } onCancel: {
      visits.end()
    }
    try Task.checkCancellation()
  }
}
