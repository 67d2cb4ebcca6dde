import LifecycleSupport
import ReactiveLifecycle

/// The implementation of a coordinator: its handlers, the fetches under way, and the subscribers to
/// its reports.
///
/// Handlers, fetches and connections keep it alive, but they never keep the coordinator alive,
/// whose release ends it.
package final class BackgroundFetchCore: Sendable {
  typealias Body = BackgroundFetchHandler.Body

  private enum Life {
    case open
    /// The coordinator was released; the bus continues.
    case released
    /// The bus has ended.
    case ended
  }

  private struct State {
    var life = Life.open
    var lastNumber = 0
    var handlers = RegistrationTable<(handler: BackgroundFetchHandler, body: Body)>()
    var hasHadHandler = false
    var places: [ObjectIdentifier: Int] = [:]
    var runs: [Int: BackgroundFetchRun] = [:]
    /// The fetches that are complete, but not reported yet.
    var unpublished: [BackgroundFetchRun] = []
    var subscribers: [FeatureRow<BackgroundFetchReport>] = []

    var sortedRuns: [BackgroundFetchRun] { runs.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// The longest time that a completion waits for a bus that does not deliver.
  private static let timeout = Duration.seconds(1)

  let bus: LifecycleBusCore
  private let executor: any TaskExecutor
  private let row: ListenerRow
  private let state = Locked(State())

  init(bus: LifecycleBusCore, executor: any TaskExecutor, madeAt site: CallSite) {
    self.bus = bus
    self.executor = executor
    row = ListenerRow(
      ownedOn: bus,
      kinds: [.systemDidWake, .willTerminate],
      site: site,
      joins: false
    )
    row.setOwner(self)
    bus.listen(row)
  }

  var now: ContinuousInstant { bus.clock.continuous }

  /// A Boolean value that indicates whether neither the coordinator nor the bus has ended.
  var isOpen: Bool { state.withLock { $0.life == .open } }

  // MARK: Handlers

  func add(_ handler: BackgroundFetchHandler, _ body: Body) {
    guard !handler.isRemoved else { return }
    let isOpen = state.withLock { state in
      guard state.life == .open else { return false }
      state.hasHadHandler = true
      state.places[ObjectIdentifier(handler)] = state.handlers.append { _ in (handler, body) }
      return true
    }
    // The scope may have ended before the handler was added.
    if !isOpen { handler.detach() } else if handler.isRemoved { remove(handler) }
  }

  func remove(_ handler: BackgroundFetchHandler) {
    let runs = state.withLockDiscarding { state in
      let place = state.places.removeValue(forKey: ObjectIdentifier(handler))
      return (state.sortedRuns, place.flatMap { state.handlers.remove($0) })
    }
    for run in runs { run.remove(handler) }
  }

  // MARK: Fetches

  /// Returns a fetch that has not begun.
  package func makeRun() -> BackgroundFetchRun {
    let start = now
    let instant = bus.instantForTaps
    let (run, isOpen) = state.withLock { state in
      state.lastNumber += 1
      let isOpen = state.life == .open
      let handlers = isOpen ? state.handlers.filter { _ in true } : []
      let run = BackgroundFetchRun(
        state.lastNumber,
        of: self,
        at: start,
        notedAt: isOpen ? instant : nil,
        handlers
      )
      if isOpen { state.runs[run.number] = run }
      return (run, isOpen)
    }
    if !isOpen { run.refuse() }
    return run
  }

  package func begin(_ run: BackgroundFetchRun, deadline: Duration) {
    run.begin(deadline: deadline, on: executor)
  }

  /// Completes a host's request with the result of a fetch.
  ///
  /// - Parameter site: The place where the host was connected.
  func perform(_ request: BackgroundFetchRequest, connectedAt site: CallSite) {
    if state.withLock({ $0.life == .open && !$0.hasHadHandler }) {
      site.report(
        """
        A background fetch arrived before a handler was added to the coordinator, so it was \
        answered with noData. Add the handlers before connecting the host.
        """
      )
    }
    let run = makeRun()
    run.whenConcluded { request.complete($0.result) }
    // Neither keeps the other alive: the completion releases both closures.
    request.onExpiration { run.expire() }
    begin(run, deadline: request.deadline)
  }

  /// Reports a complete fetch: publishes its report, sends the event, and then notifies the caller
  /// that requested it.
  func didComplete(_ run: BackgroundFetchRun, _ report: BackgroundFetchReport) {
    let isHeard = state.withLock { state in
      guard state.life != .ended else { return false }
      state.unpublished.append(run)
      return true
    }
    guard isHeard else { return run.conclude() }
    run.conclude(within: Self.timeout)
    bus.send(
      .backgroundFetchDidComplete,
      metadata: ["fetch": "\(report.number)", "result": report.result.rawValue],
      inTurnOf: row,
      after: { [self] in publish() },
      before: { run.conclude() }
    )
  }

  func forget(_ run: BackgroundFetchRun) {
    state.discard { $0.runs.removeValue(forKey: run.number) }
  }

  // MARK: Where the bus delivers

  /// Publishes the reports of fetches that are complete but not reported yet.
  func publish() {
    while let (run, rows) = state.withLock({ state in
      state.unpublished.isEmpty
        ? nil : (state.unpublished.removeFirst(), state.subscribers.unsharedForSanitizer)
    }) {
      guard let report = run.takeReport() else { continue }
      for row in rows { row.tell(report) }
    }
  }

  private func expireLateRuns() {
    let now = now
    for run in state.withLock({ $0.sortedRuns }) { run.expire(ifDueAt: now) }
  }

  /// Completes and reports every fetch before it returns.
  private func endWithBus() {
    let runs = end(.ended)
    let cancellations = runs.map { $0.end() }
    publish()
    let rows = state.withLock { $0.subscribers }
    for run in runs {
      if let report = run.takeReport() { for row in rows { row.tell(report) } }
      run.conclude()
    }
    for cancel in cancellations.joined() { cancel() }
  }

  /// Ends the coordinator's fetches and publishers, when it is released.
  func release() {
    for run in end(.released) { run.expire(.ended) }
    bus.perform(inTurnOf: row) { [self] in
      publish()
      let rows = state.withLock { $0.subscribers }
      for row in rows { row.finish() }
      row.cancel()
    }
  }

  /// Removes the handlers.
  ///
  /// - Returns: The fetches under way.
  private func end(_ life: Life) -> [BackgroundFetchRun] {
    let (handlers, runs) = state.withLock { state in
      if state.life != .ended { state.life = life }
      state.places = [:]
      return (state.handlers.removeAll(), state.sortedRuns)
    }
    for (handler, _) in handlers { handler.detach() }
    return runs
  }
}

extension BackgroundFetchCore: BusListener {
  func join(at delivered: DeliveredState) {}

  func hear(_ event: LifecycleEvent) {
    // A timer may have been suspended while the device slept.
    if event.kind == .systemDidWake { expireLateRuns() } else { endWithBus() }
  }

  func busDidEnd() { endWithBus() }
}

extension BackgroundFetchCore: FeatureStream {
  func join(_ row: FeatureRow<BackgroundFetchReport>) {
    let isOpen = state.withLock { state in
      guard state.life == .open else { return false }
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
