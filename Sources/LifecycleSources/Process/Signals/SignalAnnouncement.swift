import LifecycleSupport
import ReactiveLifecycle

/// An announcement of the engine to all buses, with the buses that have not finished handling it.
final class SignalAnnouncement: Sendable {
  let kind: JobControlAction.Announcement
  let signal: JobControlSignal?
  let moment: SignalMoment?
  /// The instant at which observers are notified, by the running time, as is the next.
  let begun: SuspendingClock.Instant
  /// The instant at which the wait for it ends; nil if it is not awaited.
  let deadline: SuspendingClock.Instant?
  /// The time from the announcement to the deadline.
  let timeout: Duration
  private let unfinished = Locked<[ObjectIdentifier: SignalConnection]>([:])
  private let accepted = Locked(false)

  init(
    _ kind: JobControlAction.Announcement,
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

  var eventKind: LifecycleEvent.Kind {
    switch kind {
    case .active: .didBecomeActive
    case .background: .didEnterBackground
    case .termination: .willTerminate
    case .reload: .reloadRequest
    }
  }

  /// The connections that are still handling it.
  var late: [SignalConnection] {
    unfinished.withLock { Array($0.values) }
  }

  /// A Boolean value that indicates whether a bus has accepted it.
  ///
  /// A bus whose connection is being cancelled does not accept it.
  var isAccepted: Bool { accepted.withLock { $0 } }

  /// Records that a bus has accepted it.
  func noteAccepted() {
    accepted.withLock { $0 = true }
  }

  /// Adds a connection to wait for. Call this method before its delivery begins.
  func expect(_ connection: SignalConnection) {
    guard deadline != nil else { return }
    unfinished.withLock { $0[ObjectIdentifier(connection)] = connection }
  }

  /// Records that all observers of the connection's bus have returned, and wakes the engine after
  /// the last one.
  func finish(_ connection: SignalConnection) {
    guard deadline != nil else { return }
    let (removed, isLast) = unfinished.withLock { unfinished in
      let removed = unfinished.removeValue(forKey: ObjectIdentifier(connection))
      return (removed, unfinished.isEmpty)
    }
    if removed != nil, isLast { ProcessThread.wake() }
  }
}
