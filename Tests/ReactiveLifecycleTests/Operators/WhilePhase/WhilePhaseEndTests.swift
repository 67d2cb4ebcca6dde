import CustomDump
import LifecycleCombine
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

@MainActor
@Suite("While phase: completion, the end of the bus, cancellation")
struct WhilePhaseEndTests {
  @Test("An upstream that finishes comes back on the next arrival", arguments: BusKind.allCases)
  func finishedUpstreamComesBack(_ kind: BusKind) {
    let stage = WhilePhaseStage(kind, demand: .max(5))
    stage.bus.send(.didBecomeActive)
    stage.upstream.send(1)
    stage.upstream.send(completion: .finished)
    stage.upstream.send(2)
    stage.upstream.send(completion: .failure(.broken))
    stage.bus.send(.systemDidWake)
    stage.bus.send(.willResignActive)
    stage.bus.send(.didBecomeActive)
    stage.upstream.send(3)
    expectNoDifference(
      stage.trace.lines,
      ["subscribe 1", "ask max(5)", "1", "subscribe 2", "ask max(4)", "3"]
    )
  }

  @Test("A failure ends it", arguments: BusKind.allCases)
  func failureEndsIt(_ kind: BusKind) {
    let stage = WhilePhaseStage(kind)
    stage.bus.send(.didBecomeActive)
    stage.upstream.send(completion: .failure(.broken))
    expectNoDifference(stage.trace.lines, ["subscribe 1", "ask unlimited", "failed"])
    #expect(stage.bus.liveSubscriptions.isEmpty)
  }

  @Test(
    "A failure comes after what waits before it, though the phase is left",
    arguments: BusKind.allCases
  )
  func failsBehindValues(_ kind: BusKind) {
    let stage = WhilePhaseStage(kind)
    stage.bus.send(.didBecomeActive)
    stage.downstream.onValue = { [bus = stage.bus, upstream = stage.upstream] number in
      guard number == 1 else { return .none }
      upstream.send(2)
      upstream.send(completion: .failure(.broken))
      bus.send(.willResignActive)
      bus.send(.didBecomeActive)
      return .none
    }
    stage.upstream.send(1)
    expectNoDifference(stage.trace.lines, ["subscribe 1", "ask unlimited", "1", "2", "failed"])
  }

  @Test("An event that is heard before the row has left does not subscribe after a failure")
  func hearsAfterFailure() {
    var machine = WhilePhaseMachine(.atLeast(.active))
    let active = DeliveredState(phase: .active, sequenceNumber: 1)
    let inactive = DeliveredState(phase: .inactive, sequenceNumber: 2)
    _ = machine.downstreamDidSubscribe()
    _ = machine.join(at: active)
    _ = machine.connect(1)
    // The first value is being handed out, the second and the failure wait behind it.
    for _ in 1...2 { _ = machine.receiveValue(from: 1, at: nil) }
    #expect(machine.complete(.failure, from: 1).leavesBus)
    #expect(machine.receiveState(inactive).dropped.isEmpty)
    #expect(machine.receiveState(active).upstream == nil)
    expectNoDifference(machine.callDidReturn(.none).call, .value)
    expectNoDifference(machine.callDidReturn(.none).call, .completion(.failure))
  }

  @Test("The end of the bus finishes, inside the phase and outside", arguments: BusKind.allCases)
  func endOfBus(_ kind: BusKind) {
    let outside = WhilePhaseStage(kind)
    outside.bus.send(.willTerminate)
    expectNoDifference(outside.trace.lines, ["finished"])
    let inside = WhilePhaseStage(kind)
    inside.bus.send(.didBecomeActive)
    inside.bus.send(.willTerminate)
    expectNoDifference(
      inside.trace.lines,
      ["subscribe 1", "ask unlimited", "cancel 1", "finished"]
    )
    #expect(inside.bus.liveSubscriptions.isEmpty)
    // Subscribed to the very end.
    let bus = kind.make()
    let trace = Trace()
    let downstream = ProbeSubscriber(trace)
    let upstream = ProbePublisher(trace)
    upstream.whilePhase(.atMost(.background), of: bus).subscribe(downstream)
    downstream.onValue = { _ in
      upstream.send(2)
      bus.send(.willTerminate)
      return .none
    }
    upstream.send(1)
    expectNoDifference(
      trace.lines,
      ["subscription", "subscribe 1", "ask unlimited", "1", "cancel 1", "finished"]
    )
    downstream.onValue = { _ in .none }
  }

  @Test("A released bus, and one that has ended", arguments: BusKind.allCases)
  func releasedBus(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let trace = Trace()
    let downstream = ProbeSubscriber(trace)
    let publisher = ProbePublisher(trace).whilePhase(.atMost(.background), of: bus!)
    publisher.subscribe(downstream)
    bus = nil
    expectNoDifference(
      trace.take(),
      ["subscription", "subscribe 1", "ask unlimited", "cancel 1", "finished"]
    )
    let late = ProbeSubscriber(trace)
    publisher.subscribe(late)
    expectNoDifference(trace.lines, ["subscription", "finished"])
  }

  // MARK: Cancellation

  @Test("Cancelled outside and inside the phase, twice", arguments: BusKind.allCases)
  func cancelledOutsideAndInsideThePhase(_ kind: BusKind) {
    for isInside in [true, false] {
      let stage = WhilePhaseStage(kind)
      if isInside { stage.bus.send(.didBecomeActive) }
      _ = stage.trace.take()
      stage.downstream.cancel()
      stage.downstream.cancel()
      stage.bus.send(all: .didBecomeActive, .willResignActive, .didBecomeActive, .willTerminate)
      expectNoDifference(stage.trace.lines, isInside ? ["cancel 1"] : [])
      #expect(stage.bus.liveSubscriptions.isEmpty)
    }
  }

  @Test(
    "Cancelled from inside subscribe, receive(subscription:) and downstream's call",
    arguments: BusKind.allCases
  )
  func cancelledInside(_ kind: BusKind) {
    let stage = WhilePhaseStage(kind)
    stage.upstream.hook { hooks in
      hooks.subscribe = { [weak downstream = stage.downstream] _ in downstream?.cancel() }
    }
    stage.bus.send(.didBecomeActive)
    expectNoDifference(stage.trace.lines, ["subscribe 1", "cancel 1"])

    let trace = Trace()
    let downstream = ProbeSubscriber(trace)
    downstream.onSubscription = { [unowned downstream] in downstream.cancel() }
    ProbePublisher(trace).whilePhase(.atLeast(.inactive), of: stage.bus).subscribe(downstream)
    expectNoDifference(trace.lines, ["subscription"])

    let third = WhilePhaseStage(kind)
    third.bus.send(.didBecomeActive)
    third.downstream.onValue = { [unowned downstream = third.downstream] _ in
      downstream.cancel()
      return .max(1)
    }
    third.upstream.send(1)
    third.upstream.send(2)
    expectNoDifference(third.trace.lines, ["subscribe 1", "ask unlimited", "1", "cancel 1"])
  }

  @Test("Nothing is retained after the end", arguments: BusKind.allCases, StreamEnd.allCases)
  func nothingIsRetained(_ kind: BusKind, _ end: StreamEnd) {
    let bus = kind.make()
    let trace = Trace()
    var upstream: ProbePublisher? = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    let weakUpstream = Weak(upstream!)
    upstream!.whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
    bus.send(.didBecomeActive)
    upstream!.send(1)
    switch end {
    case .cancelled: downstream.cancel()
    case .finished: upstream!.send(completion: .failure(.broken))
    case .busEnded: bus.send(.willTerminate)
    }
    upstream!.forgetSubscribers()
    upstream = nil
    #expect(!weakUpstream.isAlive)
    #expect(bus.liveSubscriptions.isEmpty)
  }
}
