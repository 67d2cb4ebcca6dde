import CustomDump
import LifecycleCombine
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

@MainActor
@Suite("While phase")
struct WhilePhaseTests {
  /// Upstream is subscribed to in the active phase, and the bus is inactive.
  private func stage(demand: Subscribers.Demand = .unlimited) -> OperatorStage {
    OperatorStage(after: .willEnterForeground, demand: demand) {
      $0.whilePhase(.atLeast(.active), of: $1)
    }
  }

  @Test("It subscribes and cancels where the bus delivers")
  func subscribedElsewhere() async {
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    upstream.hook { hooks in
      hooks.subscribe = { _ in MainActor.assertIsolated() }
      hooks.cancel = { _ in MainActor.assertIsolated() }
    }
    let downstream = ProbeSubscriber(trace)
    await awaitOtherThread {
      upstream.whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
    }
    await mainQueueToDrain()
    await awaitOtherThread { _ = bus.send(.willResignActive) }
    await mainQueueToDrain()
    expectNoDifference(
      trace.lines,
      ["subscription", "subscribe 1", "ask unlimited", "cancel 1"]
    )
  }

  @Test("It subscribes and cancels in its turn of the event")
  func inItsTurn() {
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.willEnterForeground)
    let trace = Trace()
    let before = bus.addObserver { trace("before \($0.kind)") }
    let downstream = ProbeSubscriber(trace)
    ProbePublisher(trace).whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
    let after = bus.addObserver { trace("after \($0.kind)") }
    _ = trace.take()
    bus.send(all: .didBecomeActive, .willResignActive)
    expectNoDifference(
      trace.take(),
      [
        "before didBecomeActive", "subscribe 1", "ask unlimited", "after didBecomeActive",
        "after willResignActive", "cancel 1", "before willResignActive",
      ]
    )
    before.cancel()
    after.cancel()
  }

  // MARK: Demand

  @Test("What waits behind a call when the phase is left is owed again")
  func waitingIsOwed() {
    let stage = stage(demand: .max(3))
    stage.bus.send(.didBecomeActive)
    stage.downstream.onValue = { [bus = stage.bus, upstream = stage.upstream] number in
      guard number == 1 else { return .none }
      upstream.send(2)
      bus.send(all: .willResignActive, .didBecomeActive)
      return .max(10)
    }
    stage.send(1)
    // The subscription that the value came from is no more: its successor is asked.
    expectNoDifference(
      stage.trace.lines,
      ["subscribe 1", "ask max(3)", "1", "cancel 1", "subscribe 2", "ask max(2)", "ask max(10)"]
    )
    expectNoDifference(stage.upstream[2].asked, .max(12))
    stage.downstream.cancel()
  }

  // MARK: The end

  @Test("An event that another thread delivers while a failure waits does not subscribe")
  func eventAfterFailure() {
    var machine = WhilePhaseMachine(.atLeast(.active))
    let active = DeliveredState(phase: .active, sequenceNumber: 1)
    let inactive = DeliveredState(phase: .inactive, sequenceNumber: 2)
    _ = machine.downstreamDidSubscribe()
    _ = machine.join(at: active)
    _ = machine.connect(1)
    // The first value is being delivered, the second and the failure wait behind it.
    for _ in 1...2 { _ = machine.receiveValue(from: 1, at: nil) }
    #expect(machine.complete(.failure, from: 1).leavesBus)
    #expect(machine.receiveState(inactive).dropped.isEmpty)
    #expect(machine.receiveState(active).upstream == nil)
    expectNoDifference(machine.callDidReturn(.none).call, .value)
    expectNoDifference(machine.callDidReturn(.none).call, .completion(.failure))
  }

  // MARK: Calls from inside of calls

  @Test("An upstream that sends and finishes inside subscribe")
  func upstreamThatSendsAndFinishesInsideSubscribe() {
    let stage = stage()
    stage.upstream.hook { hooks in
      hooks.request = { subscription in
        subscription.send(ProbeValue(subscription.number))
        subscription.complete(.finished)
      }
    }
    stage.bus.send(all: .didBecomeActive, .willResignActive, .didBecomeActive)
    expectNoDifference(
      stage.trace.lines,
      ["subscribe 1", "ask unlimited", "1", "subscribe 2", "ask unlimited", "2"]
    )
  }

  @Test("An upstream that moves the bus from inside subscribe")
  func movesInSubscribe() {
    let stage = stage()
    stage.upstream.hook { [weak bus = stage.bus] hooks in
      hooks.subscribe = { subscription in
        if subscription.number < 3 { bus?.send(all: .willResignActive, .didBecomeActive) }
      }
    }
    stage.bus.send(.didBecomeActive)
    expectNoDifference(
      stage.trace.lines,
      [
        "subscribe 1", "ask unlimited", "cancel 1", "subscribe 2", "ask unlimited", "cancel 2",
        "subscribe 3", "ask unlimited",
      ]
    )
    expectNoDifference(stage.upstream.liveCount, 1)
  }

  @Test("An upstream that cancels slowly has been cancelled before the next is subscribed to")
  func slowCancel() {
    let stage = stage()
    stage.upstream.hook { [trace = stage.trace, weak bus = stage.bus] hooks in
      hooks.cancel = { _ in
        guard let bus else { return }
        // The next arrival is accepted meanwhile.
        trace("cancelled, \(bus.send(.didBecomeActive).line)")
      }
    }
    stage.bus.send(all: .didBecomeActive, .willResignActive)
    expectNoDifference(
      stage.trace.lines,
      [
        "subscribe 1", "ask unlimited", "cancel 1", "cancelled, queued", "subscribe 2",
        "ask unlimited",
      ]
    )
  }

  @Test("A subscription that comes after the phase was left is cancelled")
  func lateSubscription() {
    let stage = stage()
    stage.upstream.hook { $0.isLate = true }
    stage.bus.send(all: .didBecomeActive, .willResignActive)
    stage.upstream[1].begin()
    stage.bus.send(.didBecomeActive)
    stage.upstream[1].begin()
    stage.upstream[2].begin()
    expectNoDifference(
      stage.trace.lines,
      ["subscribe 1", "cancel 1", "subscribe 2", "cancel 1", "ask unlimited"]
    )
  }
}
