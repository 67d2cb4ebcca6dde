import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Operators on a bus that has ended")
struct EndedBusTests {
  /// The operators, in a phase in which values pass.
  enum Form: CaseIterable {
    case gate, whilePhase, prefix

    func subscribe(
      _ downstream: ProbeSubscriber,
      to upstream: ProbePublisher,
      on bus: some LifecycleBusProtocol
    ) {
      switch self {
      case .gate:
        upstream.gate(.atMost(.background), of: bus, buffering: .drop).subscribe(downstream)
      case .whilePhase:
        upstream.whilePhase(.atMost(.background), of: bus).subscribe(downstream)
      case .prefix:
        upstream.prefix(until: .systemWillSleep, of: bus).subscribe(downstream)
      }
    }
  }

  @Test("Subscribed to elsewhere, none subscribes to upstream", arguments: Form.allCases)
  func subscribedElsewhere(_ form: Form) async {
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.willTerminate)
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    await awaitOtherThread { form.subscribe(downstream, to: upstream, on: bus) }
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["subscription", "finished"])
  }

  @Test(
    "Subscribed to during a delivery, none subscribes to upstream",
    arguments: BusKind.allCases,
    Form.allCases
  )
  func duringADelivery(_ kind: BusKind, _ form: Form) {
    let bus = kind.make()
    bus.send(.willTerminate)
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    let token = bus.suppressedInputs.sink { _ in
      form.subscribe(downstream, to: upstream, on: bus)
      trace("subscribed")
    }
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["subscription", "subscribed", "finished"])
    token.cancel()
  }

  @Test("A bus that was released in the phase is not subscribed in", arguments: BusKind.allCases)
  func releasedInThePhase(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    bus!.send(.didBecomeActive)
    let trace = Trace()
    let publisher = ProbePublisher(trace).whilePhase(.atLeast(.active), of: bus!)
    bus = nil
    let downstream = ProbeSubscriber(trace)
    publisher.subscribe(downstream)
    expectNoDifference(trace.lines, ["subscription", "finished"])
  }
}
