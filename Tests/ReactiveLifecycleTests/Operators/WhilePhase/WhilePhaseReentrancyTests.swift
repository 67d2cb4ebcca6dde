import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("While phase: calls from inside of calls")
struct WhilePhaseReentrancyTests {
  @Test("An upstream that sends and finishes inside subscribe", arguments: BusKind.allCases)
  func upstreamThatSendsAndFinishesInsideSubscribe(_ kind: BusKind) {
    let stage = WhilePhaseStage(kind) { upstream, _ in
      upstream.hook { hooks in
        hooks.request = { subscription in
          subscription.send(ProbeValue(subscription.number * 10))
          subscription.send(ProbeValue(subscription.number * 10 + 1))
          subscription.complete(.finished)
        }
      }
    }
    stage.bus.send(.didBecomeActive)
    stage.bus.send(.willResignActive)
    stage.bus.send(.didBecomeActive)
    expectNoDifference(
      stage.trace.lines,
      ["subscribe 1", "ask unlimited", "10", "11", "subscribe 2", "ask unlimited", "20", "21"]
    )
  }

  @Test("An upstream that moves the bus from inside subscribe", arguments: BusKind.allCases)
  func movesInSubscribe(_ kind: BusKind) {
    let stage = WhilePhaseStage(kind) { upstream, bus in
      upstream.hook { hooks in
        hooks.subscribe = { [weak bus] subscription in
          if subscription.number < 3 { bus?.send(all: .willResignActive, .didBecomeActive) }
        }
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

  @Test("An upstream that moves the bus from inside cancel", arguments: BusKind.allCases)
  func movesInCancel(_ kind: BusKind) {
    let stage = WhilePhaseStage(kind) { upstream, bus in
      upstream.hook { hooks in
        hooks.cancel = { [weak bus] _ in _ = bus?.send(.didBecomeActive) }
      }
    }
    stage.bus.send(.didBecomeActive)
    stage.bus.send(.willResignActive)
    expectNoDifference(
      stage.trace.lines,
      ["subscribe 1", "ask unlimited", "cancel 1", "subscribe 2", "ask unlimited"]
    )
  }

  @Test("An upstream that cancels slowly has been cancelled before the next is subscribed to")
  func slowCancel() {
    let stage = WhilePhaseStage(.nonisolated)
    stage.upstream.hook { [trace = stage.trace, bus = stage.bus] hooks in
      hooks.cancel = { _ in
        // The next arrival is accepted meanwhile, from another thread.
        let outcome = onOtherThread { bus.send(.didBecomeActive) }
        trace("cancelled, \(outcome.line)")
      }
    }
    stage.bus.send(.didBecomeActive)
    stage.bus.send(.willResignActive)
    expectNoDifference(
      stage.trace.lines,
      [
        "subscribe 1", "ask unlimited", "cancel 1", "cancelled, queued", "subscribe 2",
        "ask unlimited",
      ]
    )
    stage.upstream.hook { $0 = ProbePublisher.Hooks() }
  }

  @Test(
    "A subscription that comes after the phase was left is cancelled",
    arguments: BusKind.allCases
  )
  func lateSubscription(_ kind: BusKind) {
    let stage = WhilePhaseStage(kind) { upstream, _ in upstream.hook { $0.isLate = true } }
    stage.bus.send(.didBecomeActive)
    stage.bus.send(.willResignActive)
    stage.upstream[1].begin()
    stage.bus.send(.didBecomeActive)
    stage.upstream[1].begin()
    stage.upstream[2].begin()
    expectNoDifference(
      stage.trace.lines,
      ["subscribe 1", "cancel 1", "subscribe 2", "cancel 1", "ask unlimited"]
    )
  }

  @Test("Downstream moves the bus from inside its call", arguments: BusKind.allCases)
  func nestedSend(_ kind: BusKind) {
    let stage = WhilePhaseStage(kind)
    stage.bus.send(.didBecomeActive)
    stage.downstream.onValue = { [bus = stage.bus, trace = stage.trace] _ in
      bus.send(.willResignActive)
      trace("left")
      return .none
    }
    stage.upstream.send(1)
    stage.upstream.send(2)
    expectNoDifference(
      stage.trace.lines,
      ["subscribe 1", "ask unlimited", "1", "cancel 1", "left"]
    )
  }
}
