import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport

/// An upstream under a duty cycle, on an active bus, with 30 s of background time.
@MainActor
final class DutyCycleStage {
  let trace = Trace()
  let clock = ManualClock()
  let host: InMemoryBackgroundTaskHost
  let tasks: BackgroundTaskCoordinator
  let meter = DutyCycleMeter()
  let upstream: ProbePublisher
  let downstream: ProbeSubscriber
  private var heldBus: (any LifecycleBusProtocol)?

  init(
    _ kind: BusKind,
    _ cycle: DutyCycle = DutyCycle(burst: 3, rest: .seconds(10)),
    demand: Subscribers.Demand = .unlimited,
    remainingTime: Duration? = .seconds(30),
    _ prepare: (DutyCycleStage) -> Void = { $0.bus.send(.didBecomeActive) }
  ) {
    heldBus = kind.make(clock: clock)
    host = InMemoryBackgroundTaskHost(clock: clock, remainingTime: remainingTime)
    tasks = BackgroundTaskCoordinator(host: host)
    upstream = ProbePublisher(trace)
    downstream = ProbeSubscriber(trace, demand: demand)
    prepare(self)
    subscribe(downstream, cycle) { [trace] rest in
      trace("rest \(rest.granted.text)\(rest.isGranted ? "" : " not granted")")
    }
    if demand > .none, upstream.count == 1 { _ = trace.take() }
  }

  var bus: any LifecycleBusProtocol { heldBus! }

  func subscribe(
    _ downstream: ProbeSubscriber,
    _ cycle: DutyCycle,
    onRest: @escaping @MainActor @Sendable (DutyCycle.Rest) -> Void
  ) {
    upstream.dutyCycle(cycle, of: bus, tasks: tasks, meter: meter, onRest: onRest)
      .subscribe(downstream)
  }

  func send(_ numbers: Int...) {
    for number in numbers { upstream.send(number) }
  }

  func releaseBus() { heldBus = nil }

  /// What happened, with the tasks, since this was last asked for.
  func take() -> [String] { trace.take() }
}
