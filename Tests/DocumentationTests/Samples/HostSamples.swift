import LifecycleBackgroundWork
import ReactiveLifecycle
import Synchronization

/// Grants each task the same time, from its beginning on.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class FixedTimeHost: BackgroundTaskHost {
  private struct Grant {
    let deadline: ContinuousInstant
    let onExpiration: @MainActor @Sendable () -> Void
    var timer: LifecycleCancellable?
  }

  private struct State {
    var lastID = 0
    var grants: [BackgroundTaskID: Grant] = [:]
  }

  private let time: Duration
  private let clock: any LifecycleClock
  private let state = Mutex(State())

  init(time: Duration, clock: any LifecycleClock = .system) {
    self.time = time
    self.clock = clock
  }

  func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskID? {
    let deadline = clock.continuous + time
    let task = state.withLock { state in
      state.lastID += 1
      let task = BackgroundTaskID(rawValue: state.lastID)
      state.grants[task] = Grant(deadline: deadline, onExpiration: onExpiration)
      return task
    }
    let timer = clock.schedule(at: deadline) { [weak self] in
      Task { @MainActor [weak self] in self?.expire(task) }
    }
    // Without a grant, the timer has fired already.
    state.withLock { $0.grants[task]?.timer = timer }
    return task
  }

  func endTask(_ task: BackgroundTaskID) {
    // What the handler has captured is released after the lock.
    _ = state.withLock { $0.grants.removeValue(forKey: task) }
  }

  @MainActor var remainingTime: Duration? {
    let now = clock.continuous
    let deadline = state.withLock { $0.grants.values.map(\.deadline).min() }
    return deadline.map { max($0 - now, .zero) } ?? time
  }

  @MainActor private func expire(_ task: BackgroundTaskID) {
    guard let grant = state.withLock({ $0.grants[task] }) else { return }
    grant.onExpiration()
    endTask(task)
  }
}

/// Requests a fetch for a message that a server pushes, if the last one was long enough ago.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class PushFetchHost: BackgroundFetchHost {
  typealias Handler = @Sendable (BackgroundFetchRequest) -> Void

  private struct State {
    var interval: Duration?
    var last: ContinuousInstant?
    var handler: Handler?

    mutating func begin(at now: ContinuousInstant) -> Handler? {
      guard let handler, let interval, last.map({ now - $0 >= interval }) ?? true else {
        return nil
      }
      last = now
      return handler
    }
  }

  private let clock: any LifecycleClock
  private let state = Mutex(State())

  init(clock: any LifecycleClock = .system) {
    self.clock = clock
  }

  func setMinimumInterval(_ interval: Duration?) {
    state.withLock { $0.interval = interval }
  }

  func setFetchHandler(_ handler: Handler?) {
    _ = state.withLock { state in
      defer { state.handler = handler }
      return state.handler
    }
  }

  /// Called by the platform, on any thread.
  func didReceiveMessage(onCompletion: @escaping @Sendable (BackgroundFetchResult) -> Void) {
    let now = clock.continuous
    guard let handler = state.withLock({ $0.begin(at: now) }) else {
      return onCompletion(.noData)
    }
    handler(BackgroundFetchRequest(deadline: .seconds(30), onCompletion: onCompletion))
  }
}
