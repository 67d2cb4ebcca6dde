import LifecycleSupport
import ReactiveLifecycle

/// One fetch of a coordinator, from its beginning until the caller that requested it receives the
/// report.
package final class BackgroundFetchRun: Sendable {
  private struct Part {
    let handler: BackgroundFetchHandler
    /// The body, until it is run: a straggler may keep the fetch alive forever.
    var body: BackgroundFetchHandler.Body?
    /// The closure that notifies the handler that its answer is no longer needed.
    var cancel: (@Sendable () -> Void)?
    var wasTold = false
    var answer: (outcome: BackgroundFetchReport.Handler.Outcome, duration: Duration)?
  }

  private struct State {
    var machine: BackgroundFetchMachine
    var parts: [Part]
    var deadline: ContinuousInstant?
    var error = BackgroundFetchError.deadlineMissed
    var report: BackgroundFetchReport?
    var isPublished = false
    var isConcluded = false
    var onConclusion: [@Sendable (BackgroundFetchReport) -> Void] = []
  }

  /// The work that remains to be done outside the lock.
  private struct Ending {
    var report: BackgroundFetchReport
    var cancellations: [@Sendable () -> Void]
    /// The parts, which are held until now, to be released outside the lock.
    var unwanted: [Part]
  }

  let number: Int
  let core: BackgroundFetchCore
  private let start: ContinuousInstant
  private let expiry: Alarm
  /// The alarm that is set when the fetch is complete: not the one above, which another thread may
  /// still be setting.
  private let timeout: Alarm
  private let state: Locked<State>
  private let log: ActivityLog?

  /// - Parameter instant: The present instant; nil if nothing is to be recorded.
  init(
    _ number: Int,
    of core: BackgroundFetchCore,
    at start: ContinuousInstant,
    notedAt instant: LifecycleInstant?,
    _ handlers: [(BackgroundFetchHandler, BackgroundFetchHandler.Body)]
  ) {
    self.number = number
    self.core = core
    self.start = start
    log = instant.map { instant in
      let names = handlers.map(\.0.name).joined(separator: ", ")
      return ActivityLog(.fetch, named: names, on: core.bus, at: instant)
    }
    expiry = Alarm(core.bus.clock)
    timeout = Alarm(core.bus.clock)
    state = Locked(
      State(
        machine: BackgroundFetchMachine(handlers: handlers.count),
        parts: handlers.map { Part(handler: $0, body: $1) }
      )
    )
  }

  // MARK: The beginning

  /// Runs the handlers, until the deadline.
  func begin(deadline: Duration, on executor: any TaskExecutor) {
    guard deadline > .zero else { return expire() }
    let deadline = start + deadline
    state.withLock { $0.deadline = deadline }
    // The alarm is set first, so that it fires whatever the handlers do.
    expiry.set(for: deadline) { [weak self] in self?.expire() }
    let bodies = state.withLock { state in state.parts.indices.map { state.parts[$0].body.take() } }
    for (position, body) in bodies.enumerated() {
      let isWaiting = state.withLock { $0.machine.isWaiting(for: position) }
      if let body, isWaiting { run(body, position, executor) }
    }
    let ending = state.withLock { state in state.machine.begin().map { end(&state, $0, start) } }
    finish(ending)
  }

  private func run(
    _ body: BackgroundFetchHandler.Body,
    _ position: Int,
    _ executor: any TaskExecutor
  ) {
    switch body {
    case .returning(let body):
      let task = Task(executorPreference: executor) { [self] in
        let outcome: BackgroundFetchReport.Handler.Outcome
        do { outcome = try await body() } catch { outcome = .failed(error) }
        answer(position, outcome, at: nil)
      }
      setCancellation(of: position) { task.cancel() }
    case .completing(let body):
      Task(executorPreference: executor) { [self] in
        await body(BackgroundFetchCompletion(self, position))
      }
    }
  }

  // MARK: The handlers

  /// - Parameter site: The caller's line; nil for an asynchronous handler, whose mistakes are
  ///   reported at the handler's line.
  func answer(_ position: Int, _ outcome: BackgroundFetchReport.Handler.Outcome, at site: CallSite?)
  {
    let now = core.now
    let (verdict, isMistake, part, ending) = state.withLock { state in
      let (verdict, completion) = state.machine.answer(position, outcome.result)
      let part = state.parts[position]
      if verdict == .accepted {
        state.parts[position].answer = (outcome, now - start)
        state.parts[position].cancel = nil
      }
      // A cancelled handler that fails behaves as expected; a handler that is unfinished at the end
      // of the bus or the coordinator makes no mistake.
      let isExpected = part.wasTold && outcome.result == .failed || state.error == .ended
      return (verdict, !isExpected, part, completion.map { end(&state, $0, now) })
    }
    finish(ending)
    withExtendedLifetime(part) {
      let site = site ?? part.handler.site
      if verdict == .repeated {
        part.handler.reportRepeatedAnswer(outcome.result, number, at: site)
      } else if verdict == .late, isMistake {
        part.handler.reportLateAnswer(outcome.result, number, at: site)
      }
    }
  }

  /// Fails a handler that can no longer answer.
  func abandon(_ position: Int) {
    let handler = state.withLock { state in
      state.machine.isWaiting(for: position) ? state.parts[position].handler : nil
    }
    guard let handler else { return }
    answer(position, .failed(BackgroundFetchError.neverAnswered), at: nil)
    handler.reportNoAnswer(number)
  }

  func setCancellation(of position: Int, _ cancel: @escaping @Sendable () -> Void) {
    let isTooLate = state.withLockDiscarding { state -> (Bool, (@Sendable () -> Void)?) in
      state.parts[position].wasTold = true
      guard state.machine.isWaiting(for: position) else {
        return (state.parts[position].answer == nil, nil)
      }
      defer { state.parts[position].cancel = cancel }
      return (false, state.parts[position].cancel)
    }
    if isTooLate { cancel() }
  }

  func remove(_ handler: BackgroundFetchHandler) {
    let now = core.now
    let (cancel, ending) = state.withLock { state -> ((@Sendable () -> Void)?, Ending?) in
      guard let position = state.parts.firstIndex(where: { $0.handler === handler }) else {
        return (nil, nil)
      }
      let (isCancelled, completion) = state.machine.remove(position)
      let cancel = isCancelled ? state.parts[position].cancel.take() : nil
      return (cancel, completion.map { end(&state, $0, now) })
    }
    finish(ending)
    cancel?()
  }

  // MARK: The end

  /// Ends the fetch, because time is up.
  package func expire(_ error: BackgroundFetchError = .deadlineMissed) {
    finish(takeEnding(error))
  }

  /// Ends the fetch if its deadline has been reached.
  func expire(ifDueAt now: ContinuousInstant) {
    let isDue = state.withLock { state in state.deadline.map { $0 <= now } ?? false }
    if isDue { expire() }
  }

  /// Fails at once, without running a handler.
  func refuse() {
    let now = core.now
    state.discard { state in end(&state, state.machine.refuse(), now) }
    // `begin` is called after this, and must not set the alarm.
    expiry.end()
    conclude()
  }

  /// Ends the fetch without the bus, which ends as well. The caller publishes the report.
  ///
  /// - Returns: The closures that notify the stragglers.
  func end() -> [@Sendable () -> Void] {
    let ending = takeEnding(.ended)
    if let ending { log?.noteEnd(ending.report.result.rawValue) }
    expiry.end()
    return withExtendedLifetime(ending?.unwanted) { ending?.cancellations ?? [] }
  }

  private func takeEnding(_ error: BackgroundFetchError) -> Ending? {
    let now = core.now
    return state.withLock { state in
      guard let completion = state.machine.expire() else { return nil }
      state.error = error
      return end(&state, completion, now)
    }
  }

  private func end(
    _ state: inout State,
    _ completion: BackgroundFetchMachine.Completion,
    _ now: ContinuousInstant
  ) -> Ending {
    let error = state.error
    let parts = state.parts
    let report = BackgroundFetchReport(
      number: number,
      result: completion.result,
      duration: now - start,
      handlers: parts.indices.filter { !state.machine.isRemoved($0) }.map { position in
        let answer = parts[position].answer ?? (.failed(error), now - start)
        return .init(
          name: parts[position].handler.name,
          outcome: answer.outcome,
          duration: answer.duration
        )
      }
    )
    state.report = report
    for position in completion.stragglers { state.parts[position].cancel = nil }
    return Ending(
      report: report,
      cancellations: completion.stragglers.compactMap { parts[$0].cancel },
      unwanted: parts
    )
  }

  private func finish(_ ending: Ending?) {
    guard let ending else { return }
    log?.noteEnd(ending.report.result.rawValue)
    expiry.end()
    withExtendedLifetime(ending.unwanted) {
      core.didComplete(self, ending.report)
      // The stragglers come last: when one of them is notified, it can block only this thread.
      for cancel in ending.cancellations { cancel() }
    }
  }

  // MARK: Telling

  /// Returns the report to the caller that publishes it, once.
  func takeReport() -> BackgroundFetchReport? {
    state.withLock { state in
      guard let report = state.report, !state.isPublished else { return nil }
      state.isPublished = true
      return report
    }
  }

  /// Passes the report to the caller that requested the fetch, if the fetch is complete. Has no
  /// effect if called again.
  func conclude() {
    let old = state.withLock { state -> State? in
      guard state.report != nil, !state.isConcluded else { return nil }
      defer {
        state.isConcluded = true
        state.onConclusion = []
      }
      return state
    }
    guard let old, let report = old.report else { return }
    timeout.end()
    core.forget(self)
    for body in old.onConclusion { body(report) }
  }

  /// Calls `body` once, when the fetch is complete and the bus was notified; at once if that has
  /// already happened.
  package func whenConcluded(_ body: @escaping @Sendable (BackgroundFetchReport) -> Void) {
    let report = state.withLock { state in
      if !state.isConcluded { state.onConclusion.append(body) }
      return state.isConcluded ? state.report : nil
    }
    if let report { body(report) }
  }

  /// Concludes after a time, if the bus has not delivered by then.
  func conclude(within time: Duration) {
    timeout.set(for: core.now + time) { [weak self] in self?.conclude() }
  }
}
