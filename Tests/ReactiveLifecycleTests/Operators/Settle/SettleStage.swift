import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport

/// A bus with a clock of its own, and a trace of its settled phases.
final class SettleStage: @unchecked Sendable {
  let clock = ManualClock()
  let trace = Trace()
  private(set) var bus: (any LifecycleBusProtocol)!
  private let start: ContinuousInstant

  /// - Parameter timers: Whether the clock's timers come.
  init(_ kind: BusKind, timers: Bool = true) {
    start = clock.continuous
    bus = kind.make(clock: timers ? clock : TimerlessClock(clock))
  }

  func settled(_ seconds: Int = 2) -> LifecyclePublisher<LifecyclePhase> {
    bus.phases.settle(for: .seconds(seconds))
  }

  /// Traces the settled phases.
  func sink(_ seconds: Int = 2) -> AnyCancellable {
    settled(seconds).sink(
      receiveCompletion: { [trace] _ in trace("finished") },
      receiveValue: { [trace] in trace($0.rawValue) }
    )
  }

  /// Traces the settled phases on demand.
  func raw(
    _ seconds: Int = 2,
    demand: Subscribers.Demand = .none
  ) -> RawSubscriber<LifecyclePhase> {
    let subscriber = RawSubscriber<LifecyclePhase>(trace, demand: demand) { $0.rawValue }
    settled(seconds).subscribe(subscriber)
    return subscriber
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
