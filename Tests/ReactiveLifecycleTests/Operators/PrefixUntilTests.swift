import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Prefix until")
struct PrefixUntilTests {
  private func stage(demand: Subscribers.Demand = .unlimited) -> OperatorStage {
    OperatorStage(after: .didBecomeActive, demand: demand) {
      $0.prefix(until: [.didEnterBackground, .systemWillSleep], of: $1)
    }
  }

  @Test(
    "Everything passes until one of the events",
    arguments: [LifecycleEvent.Kind.didEnterBackground, .systemWillSleep]
  )
  func passesUntilTheEvent(_ end: LifecycleEvent.Kind) {
    let stage = stage()
    stage.send(1)
    stage.bus.send(.willResignActive)
    stage.send(2)
    stage.bus.send(end)
    stage.send(3)
    expectNoDifference(stage.trace.lines, ["1", "2", "cancel 1", "finished"])
    #expect(stage.bus.liveSubscriptions.isEmpty)
  }

  @Test("The event from inside downstream's call ends after it and what waits")
  func nestedEnd() {
    let stage = stage(demand: .max(3))
    stage.downstream.onValue = {
      [trace = stage.trace, upstream = stage.upstream, bus = stage.bus] number in
      guard number == 1 else { return .none }
      upstream.send(2)
      bus.send(.didEnterBackground)
      upstream.send(3)
      trace("end of 1")
      return .none
    }
    stage.send(1)
    expectNoDifference(stage.trace.lines, ["1", "cancel 1", "end of 1", "2", "finished"])
  }
}
