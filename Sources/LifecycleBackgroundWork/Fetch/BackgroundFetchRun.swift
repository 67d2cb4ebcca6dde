import LifecycleSupport
import ReactiveLifecycle

/// One fetch of a coordinator, from its beginning until whoever asked for it has been told.
package final class BackgroundFetchRun: Sendable {
  private struct Part {
    let handler: BackgroundFetchHandler
    /// Until it is run: a straggler may keep the fetch for ever.
    var body: BackgroundFetchHandler.Body?
    /// Tells the handler that its answer is not wanted any more.
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

  /// What is left to do outside the lock.
  private struct Ending {
    var report: BackgroundFetchReport
    var cancellations: [@Sendable () -> Void]
    /// Held until here, to be released without the lock.
    var unwanted: [Part]
  }

  let number: Int
  private let core: BackgroundFetchCore
  private let start: ContinuousInstant
  private let expiry: Alarm
  /// Set when the fetch is complete: not the alarm above, which another thread may still be setting.
  private let timeout: Alarm
  private let state: Locked<State>

  init(
    _ number: Int,
    of core: BackgroundFetchCore,
    at start: ContinuousInstant,
    _ handlers: [(BackgroundFetchHandler, BackgroundFetchHandler.Body)]
  ) {
    self.number = number
    self.core = core
    self.start = start
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

  /// Has the handlers run, until the deadline.
  func begin(deadline: Duration, on executor: any TaskExecutor) {
    guard deadline > .zero else { return expire() }
    let deadline = start + deadline
    state.withLock { $0.deadline = deadline }
    // First of all: whatever the handlers do, it fires.
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

  /// - Parameter site: The caller's; nil for an asynchronous handler.
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
      // A cancelled handler that fails has done as it was told; what is left at the end is no mistake.
      let isExpected = part.wasTold && outcome.result == .failed || state.error == .ended
      return (verdict, !isExpected, part, completion.map { end(&state, $0, now) })
    }
    finish(ending)
    withExtendedLifetime(part) {
      if verdict == .repeated {
        part.handler.reportRepeatedAnswer(outcome.result, number, at: site)
      } else if verdict == .late, isMistake {
        part.handler.reportLateAnswer(outcome.result, number, at: site)
      }
    }
  }

  /// No answer can come any more.
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

  /// Time is up.
  package func expire(_ error: BackgroundFetchError = .deadlineMissed) {
    finish(takeEnding(error))
  }

  /// Time is up, if the deadline has come by then.
  func expire(ifDueAt now: ContinuousInstant) {
    let isDue = state.withLock { state in state.deadline.map { $0 <= now } ?? false }
    if isDue { expire() }
  }

  /// Fails at once, without anybody to run.
  func refuse() {
    let now = core.now
    state.discard { state in end(&state, state.machine.refuse(), now) }
    // `begin` comes after this, and must not set it.
    expiry.end()
    conclude()
  }

  /// Ends without the bus, which ends as well: whoever calls publishes the report.
  ///
  /// - Returns: What tells the stragglers.
  func end() -> [@Sendable () -> Void] {
    let ending = takeEnding(.ended)
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
    expiry.end()
    withExtendedLifetime(ending.unwanted) {
      core.didComplete(self, ending.report)
      // Last: what a straggler does when it is told can hold nobody up but this thread.
      for cancel in ending.cancellations { cancel() }
    }
  }

  // MARK: Telling

  /// The report, for the one who publishes it.
  func takeReport() -> BackgroundFetchReport? {
    state.withLock { state in
      guard let report = state.report, !state.isPublished else { return nil }
      state.isPublished = true
      return report
    }
  }

  /// Tells whoever has asked for the fetch, if it is complete; once.
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

  /// Has `body` called when the fetch is complete, and the bus has been told: once, at once if that is
  /// so already.
  package func whenConcluded(_ body: @escaping @Sendable (BackgroundFetchReport) -> Void) {
    let report = state.withLock { state in
      if !state.isConcluded { state.onConclusion.append(body) }
      return state.isConcluded ? state.report : nil
    }
    if let report { body(report) }
  }

  /// Concludes after that time, if the bus does not deliver until then.
  func conclude(within time: Duration) {
    timeout.set(for: core.now + time) { [weak self] in self?.conclude() }
  }
}
