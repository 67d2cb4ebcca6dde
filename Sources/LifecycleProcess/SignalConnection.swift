import Dispatch
import LifecycleCore
import LifecycleSupport

/// The connection of one bus to the engine.
///
/// A connection joins the engine first and then reports the phase that it found. Announcements that
/// the engine makes meanwhile are held back until the report is sent, so that a bus sees every
/// transition after the report, once, and none before it.
final class SignalConnection: Sendable {
  private struct Gate {
    var isReporting = true
    var held: [SignalAnnouncement] = []
    /// A Boolean value that indicates whether the bus has ended for an announcement of this
    /// connection.
    var hasEnded = false
  }

  let source: ProcessSignalSource
  let feed: LifecycleFeed
  private let gate = Locked(Gate())
  /// The instant at which the main actor is to have had a turn; nil once it had one, if that is
  /// reported, and if the bus does not deliver there.
  private let turnLimit = Locked<RunningTime.Instant?>(nil)

  init(source: ProcessSignalSource, feed: LifecycleFeed) {
    self.source = source
    self.feed = feed
  }

  /// Sends the phase on the calling thread, then begins the announcements that were held back.
  func report(_ terminal: ControllingTerminal.State) {
    if terminal == .foreground {
      feed.send(.didBecomeActive)
    } else if feed.send(.didFinishLaunching).suppressionReason != nil {
      // The bus already has a phase, from an earlier connection: only this event can lower it.
      feed.send(.didEnterBackground)
    }
    while let announcements = takeHeld() {
      for announcement in announcements { deliver(announcement) }
    }
  }

  /// Has the engine report a main thread that leaves the main actor no turn.
  ///
  /// Without a turn, a signal would end the process at the deadline, before an observer is called.
  func expectTurn() {
    guard feed.core.deliversOnMainActor else { return }
    turnLimit.withLock { $0 = RunningTime.now + turnTime }
    DispatchQueue.main.async { [weak self] in self?.turnLimit.withLock { $0 = nil } }
    ProcessThread.wake()
  }

  private var turnTime: Duration { max(source.deadline, .seconds(1)) }

  /// The next instant at which `reportMissingTurn` may report.
  var nextTurnLimit: RunningTime.Instant? { turnLimit.withLock { $0 } }

  /// Reports, once, that the main actor has had no turn in time.
  func reportMissingTurn(on queue: DispatchQueue) {
    let isMissing = turnLimit.withLock { limit in
      guard let instant = limit, RunningTime.now >= instant else { return false }
      limit = nil
      return true
    }
    guard isMissing else { return }
    queue.async { [source, turnTime] in
      source.site.report(
        """
        The main actor has been blocked or busy for \(turnTime) since a bus that delivers there was \
        connected to the process's signals. A signal that comes meanwhile ends the process at the \
        deadline, and no observer is called. Use a NonisolatedLifecycleBus if the main thread is \
        blocked, for example by readLine(); otherwise make main asynchronous, or call dispatchMain().
        """
      )
    }
  }

  /// Finishes the announcements that were held back, because the connection failed and reports
  /// nothing. The engine waits for some of them.
  func abandon() {
    while let announcements = takeHeld() {
      for announcement in announcements { announcement.finish(self) }
    }
  }

  /// Passes an announcement to the bus, without waiting for its observers.
  func begin(_ announcement: SignalAnnouncement) {
    let isHeld = gate.withLock { gate in
      if gate.isReporting { gate.held.append(announcement) }
      return gate.isReporting
    }
    if !isHeld { deliver(announcement) }
  }

  /// Returns the announcements that were held back; nil, permanently, if there are none.
  private func takeHeld() -> [SignalAnnouncement]? {
    gate.withLock { gate in
      gate.isReporting = !gate.held.isEmpty
      defer { gate.held = [] }
      return gate.isReporting ? gate.held : nil
    }
  }

  private func deliver(_ announcement: SignalAnnouncement) {
    let result = feed.send(
      announcement.kind,
      at: feed.usesSystemClock ? announcement.moment.map(LifecycleInstant.init) : nil,
      metadata: announcement.signal.map { ["signal": $0.name] } ?? [:]
    ) {
      announcement.finish(self)
    }
    if accepts(result, announcement) { announcement.noteAccepted() }
  }

  /// Returns true if the bus has received the announcement.
  ///
  /// A bus that was released before has not received it. A bus that another source has ended, such
  /// as a service group that takes the same signal, counts as having received it.
  private func accepts(_ result: LifecycleSendResult, _ announcement: SignalAnnouncement) -> Bool {
    switch result.suppressionReason {
    case .disconnected: false
    case .terminated: feed.hasAcceptedTermination || gate.withLock { $0.hasEnded }
    default:
      gate.withLock { gate in
        if announcement.kind == .willTerminate { gate.hasEnded = true }
        return true
      }
    }
  }
}

extension LifecycleInstant {
  /// Creates the instant of a signal.
  fileprivate init(_ moment: SignalMoment) {
    self.init(
      continuous: ContinuousInstant(timeSinceBoot: .nanoseconds(moment.continuous)),
      timeAwake: .nanoseconds(moment.suspending),
      timeSince1970: .nanoseconds(moment.wall)
    )
  }
}

// MARK: - Announcements

/// An announcement of the engine to all buses, with the buses that have not finished handling it.
final class SignalAnnouncement: Sendable {
  let kind: LifecycleEvent.Kind
  let signal: JobControlSignal?
  let moment: SignalMoment?
  /// The instant at which observers are notified, by the running time, as is the next.
  let begun: RunningTime.Instant
  /// The instant at which the wait for it ends; nil if it is not awaited.
  let deadline: RunningTime.Instant?
  /// The time from the announcement to the deadline.
  let timeout: Duration
  private let unfinished = Locked<[ObjectIdentifier: SignalConnection]>([:])
  private let accepted = Locked(false)

  init(
    _ kind: LifecycleEvent.Kind,
    signal: JobControlSignal?,
    moment: SignalMoment?,
    timeout: Duration?
  ) {
    self.kind = kind
    self.signal = signal
    self.moment = moment
    self.timeout = timeout ?? .zero
    let begun = RunningTime.now
    self.begun = begun
    deadline = timeout.map { begun + $0 }
  }

  /// A Boolean value that indicates whether a signal to end the process leads to it.
  var isAnswerToEndSignal: Bool { kind == .willTerminate || kind == .reloadRequest }

  /// The connections that are still handling it.
  var late: [SignalConnection] {
    unfinished.withLock { Array($0.values) }
  }

  /// A Boolean value that indicates whether a bus has accepted it.
  ///
  /// A bus whose connection is being cancelled does not accept it.
  var isAccepted: Bool { accepted.withLock { $0 } }

  /// Notes that a bus has accepted it.
  func noteAccepted() {
    accepted.withLock { $0 = true }
  }

  /// Adds a connection to wait for. Call this method before its delivery begins.
  func expect(_ connection: SignalConnection) {
    guard deadline != nil else { return }
    unfinished.withLock { $0[ObjectIdentifier(connection)] = connection }
  }

  /// Notes that all observers of the connection's bus have returned, and wakes the engine after the
  /// last one.
  func finish(_ connection: SignalConnection) {
    guard deadline != nil else { return }
    let (removed, isLast) = unfinished.withLock { unfinished in
      let removed = unfinished.removeValue(forKey: ObjectIdentifier(connection))
      return (removed, unfinished.isEmpty)
    }
    if removed != nil, isLast { ProcessThread.wake() }
  }
}

// MARK: - Exit requests

/// The request to the observers of all buses whether a signal may end the process.
final class SignalExitRequest: Sendable {
  private struct State {
    var isWithdrawn = false
    /// The number of buses that have not answered.
    var waiting: Int
    var isCancelled = false
    /// The closures that withdraw the request from the buses that were asked.
    var withdrawals: [ObjectIdentifier: @Sendable () -> Void] = [:]
    /// The connections that were cancelled before their buses were asked.
    var left: Set<ObjectIdentifier> = []
  }

  /// The time that the buses have, after the limit, to return the answers so far.
  private static let returnTime = Duration.milliseconds(200)

  /// The instant at which the time for the answers is up, by the running time.
  private let limit: RunningTime.Instant
  /// The same instant, for the requests that observers receive.
  private let deadline: ContinuousClock.Instant
  private let metadata: [String: String]
  private let connections: [SignalConnection]
  private let state: Locked<State>

  init(_ signal: JobControlSignal, _ connections: [SignalConnection], timeout: Duration) {
    deadline = .now + timeout
    limit = RunningTime.now + timeout
    metadata = ["signal": signal.name]
    self.connections = connections
    state = Locked(State(waiting: connections.count))
  }

  /// Asks the observers. Wakes the engine after the last answer.
  func send() {
    for connection in connections {
      let withdraw = connection.feed.requestExit(until: deadline, metadata: metadata) { result in
        self.receive(result)
      }
      let id = ObjectIdentifier(connection)
      let hasLeft = state.withLock { state in
        state.withdrawals[id] = withdraw
        return state.left.contains(id)
      }
      if hasLeft { perform([withdraw]) }
    }
  }

  /// A Boolean value that indicates whether an observer has cancelled the end; nil while answers
  /// are missing.
  var answer: Bool? {
    state.withLock { $0.waiting == 0 ? $0.isCancelled : nil }
  }

  /// A Boolean value that indicates whether a bus has cancelled the end, whatever the others
  /// answer.
  var isCancelledSoFar: Bool { state.withLock { $0.isCancelled } }

  /// The next instant at which time is up.
  var nextLimit: RunningTime.Instant {
    state.withLock { $0.isWithdrawn ? limit + Self.returnTime : limit }
  }

  /// Returns whether the engine no longer waits, whatever the buses do. Requests the answers so far
  /// before that, at the limit.
  func isTimeUp(at now: RunningTime.Instant) -> Bool {
    guard now >= limit else { return false }
    let isFirst = state.withLock { state in
      defer { state.isWithdrawn = true }
      return !state.isWithdrawn
    }
    if isFirst { withdraw() }
    return now >= limit + Self.returnTime
  }

  /// Cancels the observers that have not answered. Their cancellation handlers run on another
  /// thread.
  func withdraw() {
    perform(state.withLock { Array($0.withdrawals.values) })
  }

  /// Withdraws the request from the bus of a connection that was cancelled. Has no effect if the
  /// bus has answered.
  func withdraw(from connection: SignalConnection) {
    let id = ObjectIdentifier(connection)
    let withdrawal = state.withLock { state in
      state.left.insert(id)
      return state.withdrawals[id]
    }
    if let withdrawal { perform([withdrawal]) }
  }

  private func perform(_ withdrawals: [@Sendable () -> Void]) {
    DispatchQueue.global().async { for withdraw in withdrawals { withdraw() } }
  }

  private func receive(_ result: LifecycleExitResult) {
    let isLast = state.withLock { state in
      state.waiting -= 1
      state.isCancelled = state.isCancelled || result.isCancelled
      return state.waiting == 0
    }
    if isLast { ProcessThread.wake() }
  }
}
