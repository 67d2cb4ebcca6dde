import Dispatch
import LifecycleSupport
import ReactiveLifecycle

/// The question to the observers of all buses whether a signal may end the process.
final class SignalQuestion: Sendable {
  private struct State {
    var isWithdrawn = false
    /// The number of buses that have not answered.
    var waiting: Int
    var isCancelled = false
    /// The closures that withdraw the question from the buses that were asked.
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
  func ask() {
    for connection in connections {
      let withdraw = connection.input.requestExit(until: deadline, metadata: metadata) { outcome in
        self.receive(outcome)
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

  /// Withdraws the question from the bus of a connection that was cancelled. Has no effect if the
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

  private func receive(_ outcome: LifecycleExitOutcome) {
    let isLast = state.withLock { state in
      state.waiting -= 1
      state.isCancelled = state.isCancelled || outcome.isCancelled
      return state.waiting == 0
    }
    if isLast { ProcessThread.wake() }
  }
}
