import LifecycleCombine
import ReactiveLifecycle
import TestSupport

/// An upstream that is subscribed to while the process is active, on an inactive bus.
@MainActor
struct WhilePhaseStage {
  let trace = Trace()
  let bus: any LifecycleBusProtocol
  let upstream: ProbePublisher
  let downstream: ProbeSubscriber

  init(
    _ kind: BusKind,
    demand: Subscribers.Demand = .unlimited,
    _ prepare: (ProbePublisher, any LifecycleBusProtocol) -> Void = { _, _ in }
  ) {
    bus = kind.make()
    bus.send(.willEnterForeground)
    upstream = ProbePublisher(trace)
    prepare(upstream, bus)
    downstream = ProbeSubscriber(trace, demand: demand)
    upstream.whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
    _ = trace.take()
  }
}
