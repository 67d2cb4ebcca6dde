import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport

/// The operators that listen to a bus, each in a phase in which values pass: before the launch.
///
/// `BusOperatorTests` and `OperatorThreadTests` test what they have in common. A new operator is
/// one more case here.
enum BusOperator: CaseIterable {
  case gate, whilePhase

  func callAsFunction(
    _ upstream: ProbePublisher,
    _ bus: some LifecycleBusProtocol,
    line: UInt = #line
  ) -> LifecycleOperator<ProbePublisher> {
    switch self {
    case .gate: upstream.gate(.atMost(.background), of: bus, buffering: .latest, line: line)
    case .whilePhase: upstream.whilePhase(.atMost(.background), of: bus, line: line)
    }
  }
}

/// An upstream, an operator on a bus, and a downstream. Both ends trace the protocol.
@MainActor
struct OperatorStage {
  let bus = LifecycleBus(clock: ManualClock())
  let trace = Trace()
  let upstream: ProbePublisher
  let downstream: ProbeSubscriber

  /// - Parameters:
  ///   - kind: An event to send before downstream subscribes.
  ///   - makeOperator: Returns the operator. What subscribing to it traces is left out.
  init(
    after kind: LifecycleEvent.Kind? = nil,
    demand: Subscribers.Demand = .unlimited,
    _ makeOperator: (ProbePublisher, LifecycleBus) -> LifecycleOperator<ProbePublisher>
  ) {
    if let kind { bus.send(kind) }
    upstream = ProbePublisher(trace)
    downstream = ProbeSubscriber(trace, demand: demand)
    makeOperator(upstream, bus).subscribe(downstream)
    _ = trace.take()
  }

  init(_ form: BusOperator) {
    self.init { form($0, $1) }
  }

  func send(_ numbers: Int...) {
    for number in numbers { upstream.send(number) }
  }
}
