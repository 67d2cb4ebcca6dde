import LifecycleCombine
import ReactiveLifecycle
import TestSupport

/// An upstream behind a gate on an active bus, and its downstream.
@MainActor
struct GateStage {
  let trace = Trace()
  let bus: any LifecycleBusProtocol
  let upstream: ProbePublisher
  let downstream: ProbeSubscriber

  init(
    _ kind: BusKind,
    _ buffering: Publishers.LifecycleGateBuffering,
    demand: Subscribers.Demand = .unlimited
  ) {
    bus = kind.make()
    bus.send(.didBecomeActive)
    upstream = ProbePublisher(trace)
    downstream = ProbeSubscriber(trace, demand: demand)
    upstream.gate(.atLeast(.active), of: bus, buffering: buffering).subscribe(downstream)
    _ = trace.take()
  }

  func send(_ numbers: Int...) {
    for number in numbers { upstream.send(number) }
  }
}
