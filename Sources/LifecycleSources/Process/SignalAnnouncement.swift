import CLifecycleShims
import LifecycleSupport
import ReactiveLifecycle

/// Something that the engine tells all buses, and which of them have not finished with it.
final class SignalAnnouncement: Sendable {
  let kind: JobControlAction.Announcement
  let signal: JobControlSignal?
  let moment: SignalMoment?
  /// When observers are told.
  let begun: SuspendingClock.Instant
  /// When it is no longer waited for; nil when it never was.
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
    let begun = SuspendingClock.now
    self.begun = begun
    deadline = timeout.map { begun + $0 }
  }

  var eventKind: LifecycleEvent.Kind {
    switch kind {
    case .active: .didBecomeActive
    case .background: .didEnterBackground
    case .termination: .willTerminate
    }
  }

  /// The connections that are still at it.
  var late: [SignalConnection] {
    unfinished.withLock { Array($0.values) }
  }

  /// Whether a bus has accepted it. One whose connection is being cancelled does not.
  var isAccepted: Bool { accepted.withLock { $0 } }

  /// Notes that a bus has accepted it.
  func noteAccepted() {
    accepted.withLock { $0 = true }
  }

  /// Waits for the connection too. Called before its delivery begins.
  func expect(_ connection: SignalConnection) {
    guard deadline != nil else { return }
    unfinished.withLock { $0[ObjectIdentifier(connection)] = connection }
  }

  /// Notes that all observers of the connection's bus have returned. Wakes the engine after the
  /// last.
  func finish(_ connection: SignalConnection) {
    guard deadline != nil else { return }
    let (removed, isLast) = unfinished.withLock { unfinished in
      let removed = unfinished.removeValue(forKey: ObjectIdentifier(connection))
      return (removed, unfinished.isEmpty)
    }
    if removed != nil, isLast { lifecycle_pipe_write(0) }
  }
}
