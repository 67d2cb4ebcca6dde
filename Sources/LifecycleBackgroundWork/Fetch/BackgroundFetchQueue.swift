import LifecycleCore
import LifecycleSupport

/// The handlers of a coordinator, the fetches under way, and the subscribers to its reports.
///
/// Fetches and connections may hold it longer than the coordinator, whose release ends the fetches.
package final class BackgroundFetchQueue: Sendable {
  typealias HandlerResult = BackgroundFetchReport.HandlerResult

  private struct Handler {
    let name: String
    let site: CallSite
    let body: @Sendable () async throws -> HandlerResult
  }

  /// A run of a handler, which is one for all fetches that begin before it ends.
  private struct Run {
    let number: Int
    /// Indicates whether the handler makes no mistake if it answers late: it was removed, or was
    /// unfinished at the end of the bus or the coordinator.
    let isExcused = SharedFlag()
    var task: Task<Void, Never>?
    /// The fetches that wait for the answer, and the handler's positions in them; not empty.
    var fetches: [(number: Int, position: Int)]
  }

  /// The part of a handler in a fetch.
  private struct Part {
    let handler: Int
    let name: String
    var answer: (result: HandlerResult, duration: Duration)?
  }

  /// A fetch, from its beginning until the caller that requested it receives the report.
  private struct Fetch {
    let start: ContinuousInstant
    let deadline: ContinuousInstant
    let expiry: Alarm
    /// The alarm that is set when the fetch is complete: not the one above, which another thread
    /// may still be setting.
    let timeout: Alarm
    let log: ActivityLog?
    let onConclusion: @Sendable (BackgroundFetchReport) -> Void
    var machine: BackgroundFetchMachine
    var parts: [Part]
    var report: BackgroundFetchReport?
  }

  /// A fetch that is complete, for the work that remains to be done outside the lock.
  private struct Ending {
    let report: BackgroundFetchReport
    let log: ActivityLog?
    let expiry: Alarm
    let timeout: Alarm
    /// The tasks of the handlers that have not answered, and that no other fetch waits for.
    let stragglers: [Task<Void, Never>]

    func noteEnd() {
      log?.noteEnd(report.result.rawValue)
      expiry.end()
    }
  }

  private struct State {
    /// A Boolean value that indicates whether neither the coordinator nor the bus has ended.
    var isOpen = true
    var lastNumber = 0
    /// The numbers of the fetches that have not begun, and whose time is not up.
    var numbers: Set<Int> = []
    var handlers: [Int: Handler] = [:]
    var lastHandler = 0
    /// The registrations that have neither a handler yet nor an end.
    var reserved: Set<Int> = []
    var hasHadHandler = false
    var fetches: [Int: Fetch] = [:]
    /// The runs that a fetch waits for, by the handlers. A run that no fetch waits for any longer
    /// is cancelled: it may never end.
    var runs: [Int: Run] = [:]
    var lastRun = 0
    /// The reports of the fetches that are complete, but not published yet.
    var unpublished: [BackgroundFetchReport] = []
    var subscribers: [FeatureRow<BackgroundFetchReport>] = []

    var sortedNumbers: [Int] { fetches.keys.sorted() }

    func isWaiting(for position: Int, of number: Int) -> Bool {
      fetches[number]?.machine.isWaiting(for: position) ?? false
    }

    /// Makes the report of a fetch if it is complete.
    mutating func end(
      _ number: Int,
      _ completion: BackgroundFetchMachine.Completion?,
      at now: ContinuousInstant,
      _ error: BackgroundFetchError = .deadlineMissed
    ) -> Ending? {
      guard let completion, let fetch = fetches[number] else { return nil }
      let duration = now - fetch.start
      let counted = fetch.parts.indices.filter { !fetch.machine.isRemoved($0) }
      let report = BackgroundFetchReport(
        number: number,
        result: completion.result,
        duration: duration,
        handlers: counted.map { position in
          let part = fetch.parts[position]
          let answer = part.answer ?? (.failed(error), duration)
          return .init(name: part.name, result: answer.result, duration: answer.duration)
        }
      )
      fetches[number]?.report = report
      unpublished.append(report)
      return Ending(
        report: report,
        log: fetch.log,
        expiry: fetch.expiry,
        timeout: fetch.timeout,
        stragglers: completion.stragglers.compactMap { leave(fetch.parts[$0].handler, number) }
      )
    }

    /// Records that a fetch no longer waits for a run.
    ///
    /// - Returns: The task to cancel, if no other fetch waits for it.
    private mutating func leave(_ handler: Int, _ number: Int) -> Task<Void, Never>? {
      runs[handler]?.fetches.removeAll { $0.number == number }
      guard runs[handler]?.fetches.isEmpty == true else { return nil }
      return runs.removeValue(forKey: handler)?.task
    }

    /// Takes note of the answer of a run.
    ///
    /// - Returns: The fetches that are complete now; nil if none waited for the answer.
    mutating func answer(
      _ handler: Int,
      _ run: Int,
      _ result: HandlerResult,
      at now: ContinuousInstant
    ) -> [Ending]? {
      guard runs[handler]?.number == run, let fetches = runs.removeValue(forKey: handler)?.fetches
      else { return nil }
      return fetches.compactMap { number, position in
        guard let start = self.fetches[number]?.start else { return nil }
        self.fetches[number]?.parts[position].answer = (result, now - start)
        let completion = self.fetches[number]?.machine.answer(position, result.fetchResult)
        return end(number, completion, at: now)
      }
    }
  }

  /// The longest time that a completion waits for a bus that does not deliver.
  private static let timeout = Duration.seconds(1)

  let bus: LifecycleBusCore
  private let starter: TaskStarter
  private let row: ListenerRow
  private let state = Locked(State())

  init(bus: LifecycleBusCore, starter: TaskStarter, madeAt site: CallSite) {
    self.bus = bus
    self.starter = starter
    row = ListenerRow(
      ownedOn: bus,
      kinds: [.systemDidWake, .willTerminate],
      site: site,
      joins: false
    )
    row.setOwner(self)
    bus.listen(row)
  }

  private var now: ContinuousInstant { bus.clock.continuous }

  /// A Boolean value that indicates whether neither the coordinator nor the bus has ended.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// A Boolean value that indicates whether a handler was ever added.
  var hasHadHandler: Bool { state.withLock { $0.hasHadHandler } }

  // MARK: Handlers

  /// Returns the registration of a handler that is not added yet. It does not keep the queue alive.
  func register() -> (handler: Int, registration: LifecycleCancellable) {
    let handler = state.withLock { state in
      state.lastHandler += 1
      state.reserved.insert(state.lastHandler)
      return state.lastHandler
    }
    return (handler, LifecycleCancellable { [weak self] in self?.remove(handler) })
  }

  /// Adds a handler, unless its registration was cancelled, or the bus has ended.
  func add(
    _ handler: Int,
    _ name: String,
    _ site: CallSite,
    _ body: @escaping @Sendable () async throws -> HandlerResult
  ) {
    state.withLock { state in
      guard state.reserved.remove(handler) != nil, state.isOpen else { return }
      state.handlers[handler] = Handler(name: name, site: site, body: body)
      state.hasHadHandler = true
    }
  }

  private func remove(_ handler: Int) {
    let now = now
    let (endings, task) = state.withLockDiscarding { state in
      state.reserved.remove(handler)
      let run = state.runs.removeValue(forKey: handler)
      run?.isExcused.set(true)
      let endings = state.sortedNumbers.compactMap { number -> Ending? in
        let parts = state.fetches[number]?.parts ?? []
        guard let position = parts.firstIndex(where: { $0.handler == handler }) else { return nil }
        return state.end(number, state.fetches[number]?.machine.remove(position), at: now)
      }
      return ((endings, run?.task), state.handlers.removeValue(forKey: handler))
    }
    finish(endings)
    task?.cancel()
  }

  // MARK: Fetches

  /// Returns the number of a fetch that has not begun.
  package func makeNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      state.numbers.insert(state.lastNumber)
      return state.lastNumber
    }
  }

  /// Runs the handlers, until the deadline. To be called once for a number.
  ///
  /// - Parameter onConclusion: Called once, when the fetch is complete and the bus was notified.
  package func begin(
    _ number: Int,
    deadline: Duration,
    onConclusion: @escaping @Sendable (BackgroundFetchReport) -> Void
  ) {
    let start = now
    let instant = bus.instantForTaps
    let (expiry, timeout) = (Alarm(bus.clock), Alarm(bus.clock))
    let begun = state.withLock { state -> (parts: [(Part, Handler)], isExpired: Bool)? in
      let isExpired = state.numbers.remove(number) == nil || deadline <= .zero
      guard state.isOpen else { return nil }
      let parts = state.handlers.sorted { $0.key < $1.key }.map { id, handler in
        (Part(handler: id, name: handler.name), handler)
      }
      state.fetches[number] = Fetch(
        start: start,
        deadline: start + deadline,
        expiry: expiry,
        timeout: timeout,
        log: instant.map { instant in
          let names = parts.map(\.0.name).joined(separator: ", ")
          return ActivityLog(.fetch, named: names, on: bus, at: instant)
        },
        onConclusion: onConclusion,
        machine: BackgroundFetchMachine(handlers: parts.count),
        parts: parts.map(\.0)
      )
      return (parts, isExpired)
    }
    guard let begun else {
      return onConclusion(
        BackgroundFetchReport(number: number, result: .failed, duration: .zero, handlers: [])
      )
    }
    guard !begun.isExpired else { return expire(number) }
    // The alarm is set first, so that it fires whatever the handlers do.
    expiry.set(for: start + deadline) { [weak self] in self?.expire(number) }
    for (position, (part, handler)) in begun.parts.enumerated() {
      run(handler, part.handler, number, position)
    }
    // Without a handler, there is nothing to wait for.
    let ending = state.withLock { state in
      state.end(number, state.fetches[number]?.machine.begin(), at: start)
    }
    if let ending { finish([ending]) }
  }

  /// Runs a handler for a fetch, unless it is running: the fetch then waits for that run.
  private func run(_ handler: Handler, _ id: Int, _ number: Int, _ position: Int) {
    let run = state.withLock { state -> (number: Int, isExcused: SharedFlag)? in
      guard state.isWaiting(for: position, of: number) else { return nil }
      guard state.runs[id] == nil else {
        state.runs[id]?.fetches.append((number, position))
        return nil
      }
      state.lastRun += 1
      let run = Run(number: state.lastRun, fetches: [(number, position)])
      state.runs[id] = run
      return (run.number, run.isExcused)
    }
    guard let run else { return }
    let hasReturned = SharedFlag()
    let task = starter.start {
      [weak self, body = handler.body, name = handler.name, site = handler.site] in
      let result: HandlerResult
      do { result = try await body() } catch { result = .failed(error) }
      hasReturned.set(true)
      guard self?.answer(id, run.number, result) == false else { return }
      // A handler that was cancelled may fail.
      guard result.fetchResult != .failed, !run.isExcused.isOn else { return }
      site.report(
        """
        The fetch handler "\(name)" answered fetch \(number) after the fetch had ended, so the \
        answer \(result.fetchResult) was ignored. Stop when the handler is cancelled, which \
        happens at the deadline.
        """
      )
    }
    let isTooLate = state.withLock { state in
      guard state.runs[id]?.number == run.number else { return true }
      state.runs[id]?.task = task
      return false
    }
    // What a task that has returned still does is to notify others.
    if isTooLate, !hasReturned.isOn { task.cancel() }
  }

  /// Passes the answer of a run on to the fetches that wait for it.
  ///
  /// - Returns: False if there are none.
  private func answer(_ handler: Int, _ run: Int, _ result: HandlerResult) -> Bool {
    let now = now
    let endings = state.withLock { $0.answer(handler, run, result, at: now) }
    finish(endings ?? [])
    return endings != nil
  }

  /// Ends a fetch, because time is up.
  package func expire(_ number: Int) {
    let now = now
    let ending = state.withLock { state in
      state.numbers.remove(number)
      return state.end(number, state.fetches[number]?.machine.expire(), at: now)
    }
    if let ending { finish([ending]) }
  }

  // MARK: The end of a fetch

  /// Publishes the reports of fetches that are complete, sends the events, and then notifies the
  /// callers that requested the fetches.
  private func finish(_ endings: [Ending]) {
    for ending in endings {
      ending.noteEnd()
      let number = ending.report.number
      ending.timeout.set(for: now + Self.timeout) { [weak self] in self?.conclude(number) }
    }
    for report in endings.map(\.report) {
      bus.send(
        .backgroundFetchDidComplete,
        metadata: ["fetch": "\(report.number)", "result": report.result.rawValue],
        inTurnOf: row,
        after: { [self] in publish() },
        // In a turn that follows those which the observers of the event have asked for.
        before: { [self] in bus.perform(inTurnOf: nil) { [self] in conclude(report.number) } }
      )
    }
    // The stragglers come last: when one of them is notified, it can block only this thread.
    for task in endings.flatMap(\.stragglers) { task.cancel() }
  }

  /// Publishes the reports of fetches that are complete, where the bus delivers.
  private func publish() {
    while let (report, rows) = state.withLock({ state in
      state.unpublished.isEmpty
        ? nil : (state.unpublished.removeFirst(), state.subscribers.unsharedForSanitizer)
    }) {
      for row in rows { row.publish(report) }
    }
  }

  /// Passes the report to the caller that requested the fetch, if the fetch is complete. Has no
  /// effect if called again.
  private func conclude(_ number: Int) {
    let fetch = state.withLock { state in
      state.fetches[number]?.report == nil ? nil : state.fetches.removeValue(forKey: number)
    }
    guard let fetch, let report = fetch.report else { return }
    fetch.timeout.end()
    fetch.onConclusion(report)
  }

  // MARK: The end of the coordinator, and of the bus

  /// Ends the coordinator's fetches and publishers, when it is released.
  func release() {
    finish(endFetches())
    bus.perform(inTurnOf: row) { [self] in
      publish()
      let rows = state.withLock { $0.subscribers }
      for row in rows { row.finish() }
      row.cancel()
    }
  }

  /// Completes and reports every fetch before it returns.
  private func endWithBus() {
    let endings = endFetches()
    for ending in endings { ending.noteEnd() }
    publish()
    for number in state.withLock({ $0.sortedNumbers }) { conclude(number) }
    for task in endings.flatMap(\.stragglers) { task.cancel() }
  }

  /// Removes the handlers, and ends the fetches under way.
  private func endFetches() -> [Ending] {
    let now = now
    return state.withLockDiscarding { state in
      state.isOpen = false
      for run in state.runs.values { run.isExcused.set(true) }
      let endings = state.sortedNumbers.compactMap { number in
        state.end(number, state.fetches[number]?.machine.expire(), at: now, .ended)
      }
      defer { state.handlers = [:] }
      return (endings, state.handlers)
    }
  }
}

extension BackgroundFetchQueue: BusListener {
  func join(at delivered: DeliveredState) {}

  func receive(_ event: LifecycleEvent) {
    guard event.kind == .systemDidWake else { return endWithBus() }
    // A timer may have been suspended while the device slept.
    let now = now
    let late = state.withLock { state in
      state.sortedNumbers.filter { state.fetches[$0].map { $0.deadline <= now } ?? false }
    }
    for number in late { expire(number) }
  }

  func busDidEnd() { endWithBus() }
}

extension BackgroundFetchQueue: FeatureStream {
  func join(_ row: FeatureRow<BackgroundFetchReport>) {
    let isOpen = state.withLock { state in
      guard state.isOpen else { return false }
      state.subscribers.append(row)
      return true
    }
    if !isOpen { row.finish() }
  }

  func leave(_ row: FeatureRow<BackgroundFetchReport>) {
    state.discard { state in
      defer { state.subscribers.removeAll { $0 === row } }
      return state.subscribers
    }
  }
}

/// A pure state machine of one fetch: which handlers have answered, and when the fetch is complete.
struct BackgroundFetchMachine: Hashable, Sendable {
  /// The end of the fetch, which is returned once.
  struct Completion: Hashable, Sendable {
    let result: BackgroundFetchResult
    /// The handlers that have not answered, and have to be cancelled.
    let stragglers: [Int]
  }

  private enum Status: Hashable, Sendable {
    case waiting
    case answered(BackgroundFetchResult)
    case missed
    case removed
  }

  private var statuses: [Status]
  private var isComplete = false

  /// Creates a fetch with a number of handlers, which are identified by their positions.
  init(handlers count: Int) {
    statuses = Array(repeating: .waiting, count: count)
  }

  func isWaiting(for handler: Int) -> Bool { statuses[handler] == .waiting }

  func isRemoved(_ handler: Int) -> Bool { statuses[handler] == .removed }

  /// Begins the fetch, after the handlers were run.
  ///
  /// - Returns: The completion, if no handler has to be waited for.
  mutating func begin() -> Completion? { completeIfAnswered() }

  /// Records the answer of a handler that is waited for.
  mutating func answer(_ handler: Int, _ result: BackgroundFetchResult) -> Completion? {
    statuses[handler] = .answered(result)
    return completeIfAnswered()
  }

  /// Records that the handler's answer is no longer needed. A handler that has answered keeps its
  /// answer.
  ///
  /// - Returns: The completion, if this completes the fetch.
  mutating func remove(_ handler: Int) -> Completion? {
    guard statuses[handler] == .waiting else { return nil }
    statuses[handler] = .removed
    return completeIfAnswered()
  }

  /// Ends the fetch, because time is up.
  mutating func expire() -> Completion? {
    guard !isComplete else { return nil }
    let stragglers = statuses.indices.filter { statuses[$0] == .waiting }
    for handler in stragglers { statuses[handler] = .missed }
    return complete(stragglers)
  }

  private mutating func completeIfAnswered() -> Completion? {
    isComplete || statuses.contains(.waiting) ? nil : complete([])
  }

  private mutating func complete(_ stragglers: [Int]) -> Completion {
    isComplete = true
    let result: BackgroundFetchResult =
      if statuses.contains(.answered(.newData)) {
        .newData
      } else if statuses.contains(.answered(.failed)) || !stragglers.isEmpty {
        .failed
      } else {
        .noData
      }
    return Completion(result: result, stragglers: stragglers)
  }
}
