import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport

/// A bus with a clock of its own, and recorders of its settled phases.
final class SettleStage: @unchecked Sendable {
  let clock = ManualClock()
  private(set) var bus: EitherBus!
  private let start: ContinuousInstant

  /// - Parameter timers: Whether the clock's timers come.
  init(_ kind: BusKind, timers: Bool = true) {
    start = clock.continuous
    bus = EitherBus(kind.make(clock: timers ? clock : TimerlessClock(clock)))
  }

  func settled(_ seconds: Int = 2) -> LifecyclePublisher<LifecyclePhase> {
    bus.phases.settle(for: .seconds(seconds))
  }

  /// Records the settled phases.
  func record(
    _ seconds: Int = 2,
    demand: Subscribers.Demand = .unlimited
  ) -> LifecycleRecorder<LifecyclePhase, Never> {
    LifecycleRecorder(settled(seconds), of: bus!, demand: demand)
  }

  /// Sends an input that happened so many seconds after the beginning; now, if nil.
  func send(_ kind: LifecycleEvent.Kind, at seconds: Double? = nil) {
    bus.send(kind, at: seconds.map(instant))
  }

  func advance(_ seconds: Double) { clock.advance(by: .seconds(seconds)) }

  func releaseBus() { bus = nil }

  private func instant(_ seconds: Double) -> LifecycleInstant {
    var instant = clock.now
    instant.continuous = start + .seconds(seconds)
    return instant
  }
}
