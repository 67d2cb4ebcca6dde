/// The waiting calls of tasks, for both kinds of bus.
///
/// Each row is removed when its call returns or throws.
///
/// `isolation` is the caller's. It is a parameter because a closure runs on the actor only if it
/// captures one: `nonisolated(nonsending)` does not apply to the closures below.
extension LifecycleBusCore {
  func waitUntil(
    isolation: isolated (any Actor)? = #isolation,
    _ condition: LifecyclePhase.Condition,
    site: CallSite
  ) async throws {
    condition.reportIfAlwaysMet(
      "waitUntil does not wait",
      atTheEnd: "use waitUntil(.atMost(.terminated)), or observe willTerminate",
      site
    )
    try Task.checkCancellation()
    let phase = phase
    if phase != .terminated, condition.contains(phase) { return }
    try await arrive(condition, site: site) {}
  }

  func perform<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    when condition: LifecyclePhase.Condition,
    site: CallSite,
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    condition.reportIfAlwaysMet(
      "perform does not wait",
      atTheEnd: "use perform(when: .atMost(.terminated)), or observe willTerminate",
      site
    )
    return try await arrive(condition, site: site, work)
  }

  private func arrive<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ condition: LifecyclePhase.Condition,
    site: CallSite,
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let arrival = Arrival(condition, work: work)
    let row = ListenerRow(core: self, kinds: .transitions, site: site, listener: arrival)
    defer { row.cancel() }
    return try await withTaskCancellationHandler {
      listen(row)
      return try await arrival.value(isolation: isolation)
    } onCancel: {
      arrival.abandon(CancellationError())
    }
  }

  func repeatWhile(
    isolation: isolated (any Actor)? = #isolation,
    _ condition: LifecyclePhase.Condition,
    site: CallSite,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    let instead = "use perform(when: .atMost(.terminated)), or observe willTerminate"
    condition.reportIfAlwaysMet(
      "repeatWhile runs its body until the bus ends",
      atTheEnd: instead,
      site
    )
    if condition == .atMost(.terminated) {
      site.report(
        """
        repeatWhile(.atMost(.terminated)) cancels its body at once, because the bus ends in that \
        phase. To act at the end of the process, \(instead).
        """
      )
    }
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
