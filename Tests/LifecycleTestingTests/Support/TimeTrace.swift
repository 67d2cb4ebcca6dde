import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle

/// What happened, in order, each with the seconds since the trace began: `1.5 tick`.
final class TimeTrace: Sendable {
  private let state = Locked<[String]>([])
  private let now: @Sendable () -> Duration

  init(_ clock: ManualClock) {
    let start = clock.continuous
    // What is traced may hold the trace: it must not hold the clock.
    now = { [weak clock] in clock.map { $0.continuous - start } ?? .zero }
  }

  func callAsFunction(_ line: String) {
    let line = "\(now() / .seconds(1)) \(line)"
    state.withLock { $0.append(line) }
  }

  /// Hands out the lines and starts again.
  func take() -> [String] {
    state.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
