import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Duty cycle")
struct DutyCycleTests {
  @Test("Every value passes in the foreground", arguments: BusKind.allCases)
  func everyValuePassesInForeground(_ kind: BusKind) {
    let stage = DutyCycleStage(kind)
    stage.send(1, 2)
    stage.bus.send(.willResignActive)
    stage.send(3, 4)
    expectNoDifference(stage.take(), ["1", "2", "3", "4"])
    expectNoDifference(stage.host.operations, [])
    stage.downstream.cancel()
  }

  @Test("Every value passes before the first phase is known", arguments: BusKind.allCases)
  func everyValuePassesBeforeFirstPhase(_ kind: BusKind) {
    let stage = DutyCycleStage(kind) { _ in }
    stage.send(1, 2, 3, 4)
    expectNoDifference(stage.take(), ["1", "2", "3", "4"])
    stage.downstream.cancel()
  }

  @Test("In the background: the last of a burst, a rest under one task, and again")
  func lastOfBurstThenRestInBackground() {
    for kind in BusKind.allCases {
      let stage = DutyCycleStage(kind)
      stage.bus.send(.didEnterBackground)
      stage.send(1, 2, 3)
      expectNoDifference(stage.take(), ["3", "cancel 1", "rest 10 s"])
      expectNoDifference(stage.host.openTasks, ["duty cycle"])
      stage.clock.advance(by: .seconds(9))
      expectNoDifference(stage.take(), [])
      stage.clock.advance(by: .seconds(1))
      expectNoDifference(stage.take(), ["subscribe 2", "ask unlimited"])
      expectNoDifference(stage.host.openTasks, [])
      stage.send(4, 5, 6)
      expectNoDifference(stage.take(), ["6", "cancel 2", "rest 10 s"])
      stage.clock.advance(by: .seconds(10))
      expectNoDifference(
        stage.host.operations,
        [.began("duty cycle"), .ended("duty cycle"), .began("duty cycle"), .ended("duty cycle")]
      )
      stage.downstream.cancel()
    }
  }

  @Test("All values of a burst, each as it comes", arguments: BusKind.allCases)
  func deliversAll(_ kind: BusKind) {
    let stage = DutyCycleStage(kind, DutyCycle(burst: 2, delivering: .all, rest: .seconds(10)))
    stage.bus.send(.didEnterBackground)
    stage.send(1)
    expectNoDifference(stage.take(), ["1"])
    stage.send(2)
    expectNoDifference(stage.take(), ["2", "cancel 1", "rest 10 s"])
    stage.downstream.cancel()
  }

  @Test("Values are counted from the way to the background; upstream goes on there")
  func valuesCountFromTheWayDown() {
    for kind in BusKind.allCases {
      let stage = DutyCycleStage(kind)
      stage.send(1, 2)
      stage.bus.send(.didEnterBackground)
      stage.send(3, 4)
      expectNoDifference(stage.take(), ["1", "2"])
      expectNoDifference(stage.upstream.count, 1)
      // The latest so far is handed out on return, and the next burst begins with 0.
      stage.bus.send(.willEnterForeground)
      stage.send(5)
      stage.bus.send(.didEnterBackground)
      stage.send(6, 7)
      expectNoDifference(stage.take(), ["4", "5"])
      stage.send(8)
      expectNoDifference(stage.take(), ["8", "cancel 1", "rest 10 s"])
      stage.downstream.cancel()
    }
  }

  @Test("Subscribed to in the background, it begins with a burst", arguments: BusKind.allCases)
  func joinsInBackground(_ kind: BusKind) {
    let stage = DutyCycleStage(kind) { $0.bus.send(.didEnterBackground) }
    stage.send(1, 2, 3)
    expectNoDifference(stage.take(), ["3", "cancel 1", "rest 10 s"])
    stage.downstream.cancel()
  }

  @Test("The end of upstream inside a burst comes after the last value so far")
  func upstreamEnds() {
    for kind in BusKind.allCases {
      for completion in [Subscribers.Completion<ProbeFailure>.finished, .failure(.broken)] {
        let stage = DutyCycleStage(kind)
        stage.bus.send(.didEnterBackground)
        stage.send(1, 2)
        stage.upstream.send(completion: completion)
        expectNoDifference(stage.take(), ["2", completion == .finished ? "finished" : "failed"])
        #expect(stage.bus.liveSubscriptions.isEmpty)
        expectNoDifference(stage.host.operations, [])
      }
    }
  }

  @Test("Time that is up ends the rest: upstream is subscribed to inside the expiration handler")
  func timeThatIsUpEndsRest() {
    for kind in BusKind.allCases {
      let stage = DutyCycleStage(kind)
      stage.bus.send(.didEnterBackground)
      stage.send(1, 2, 3)
      stage.host.expire()
      expectNoDifference(
        stage.take(),
        ["3", "cancel 1", "rest 10 s", "subscribe 2", "ask unlimited"]
      )
      expectNoDifference(
        stage.host.operations,
        [.began("duty cycle"), .expired("duty cycle"), .ended("duty cycle")]
      )
      expectNoDifference(stage.clock.timerCount, 0)
      stage.downstream.cancel()
    }
  }

  @Test(
    "A refused grant: the rest is not granted, and as long as wished",
    arguments: BusKind.allCases
  )
  func restWithoutGrant(_ kind: BusKind) {
    let stage = DutyCycleStage(kind, DutyCycle(burst: 1, rest: .seconds(60)))
    stage.host.isGranting = false
    stage.bus.send(.didEnterBackground)
    stage.send(1)
    stage.clock.advance(by: .seconds(59))
    expectNoDifference(stage.take(), ["1", "cancel 1", "rest 60 s not granted"])
    stage.clock.advance(by: .seconds(1))
    expectNoDifference(stage.take(), ["subscribe 2", "ask unlimited"])
    stage.downstream.cancel()
  }

  @Test("Without a limit a rest is as long as wished", arguments: BusKind.allCases)
  func unlimitedGrant(_ kind: BusKind) {
    let stage = DutyCycleStage(
      kind,
      DutyCycle(burst: 1, rest: .seconds(600)),
      remainingTime: nil
    )
    stage.bus.send(.didEnterBackground)
    stage.send(1)
    expectNoDifference(stage.take(), ["1", "cancel 1", "rest 600 s"])
    stage.downstream.cancel()
  }

  @Test("The way back ends the rest and its task, inside the delivery", arguments: BusKind.allCases)
  func returnEndsTheRest(_ kind: BusKind) {
    var observers: [LifecycleSubscription] = []
    let stage = DutyCycleStage(kind) { stage in
      stage.bus.send(.didBecomeActive)
      observers.append(
        stage.bus.addObserver(for: [.willEnterForeground]) { [trace = stage.trace] _ in
          trace("earlier observer")
        }
      )
    }
    observers.append(
      stage.bus.addObserver(for: [.willEnterForeground]) { [trace = stage.trace] _ in
        trace("later observer")
      }
    )
    stage.bus.send(.didEnterBackground)
    stage.send(1, 2, 3)
    _ = stage.take()
    stage.bus.send(.willEnterForeground)
    expectNoDifference(
      stage.take(),
      ["earlier observer", "subscribe 2", "ask unlimited", "later observer"]
    )
    #expect(stage.host.openTasks.isEmpty)
    expectNoDifference(stage.clock.timerCount, 0)
    stage.send(4, 5)
    expectNoDifference(stage.take(), ["4", "5"])
    stage.downstream.cancel()
  }

  enum End: CaseIterable { case cancel, terminate, releaseBus }

  @Test("The end during a rest: the task ends once, and the timer is gone")
  func endDuringARest() {
    for kind in BusKind.allCases {
      for end in End.allCases {
        let stage = DutyCycleStage(kind)
        stage.bus.send(.didEnterBackground)
        stage.send(1, 2, 3)
        _ = stage.take()
        switch end {
        case .cancel: stage.downstream.cancel()
        case .terminate: stage.bus.send(.willTerminate)
        case .releaseBus: stage.releaseBus()
        }
        expectNoDifference(stage.take(), end == .cancel ? [] : ["finished"], "\(end)")
        expectNoDifference(stage.host.operations, [.began("duty cycle"), .ended("duty cycle")])
        expectNoDifference(stage.clock.timerCount, 0)
        stage.clock.advance(by: .seconds(100))
        expectNoDifference(stage.take(), [])
      }
    }
  }

  @Test("The end of the bus inside a burst comes after the last value so far")
  func busEndsInBurst() {
    for kind in BusKind.allCases {
      let stage = DutyCycleStage(kind)
      stage.bus.send(.didEnterBackground)
      stage.send(1, 2)
      stage.bus.send(.willTerminate)
      expectNoDifference(stage.take(), ["cancel 1", "2", "finished"])
    }
  }

  @Test("On a bus that has ended it finishes at once", arguments: BusKind.allCases)
  func endedBus(_ kind: BusKind) {
    let stage = DutyCycleStage(kind) { $0.bus.send(.willTerminate) }
    expectNoDifference(stage.take(), ["subscription", "finished"])
  }

  @Test("A sleep or a stop over several cycles: one catch-up", arguments: BusKind.allCases)
  func deviceSleepingOverCyclesBringsOneCatchUp(_ kind: BusKind) {
    let stage = DutyCycleStage(kind, remainingTime: nil)
    stage.bus.send(.didEnterBackground)
    stage.send(1, 2, 3)
    _ = stage.take()
    stage.clock.sleepDevice(for: .seconds(100))
    expectNoDifference(stage.take(), ["subscribe 2", "ask unlimited"])
    stage.send(4, 5, 6)
    _ = stage.take()
    stage.clock.stopProcess(for: .seconds(100))
    expectNoDifference(stage.take(), ["subscribe 3", "ask unlimited"])
    stage.downstream.cancel()
  }

  @Test("Limited demand: a value is asked for instead of each that is left out")
  func limitedDemand() {
    for kind in BusKind.allCases {
      let stage = DutyCycleStage(kind, demand: .max(1))
      stage.bus.send(.didEnterBackground)
      stage.send(1, 2, 3)
      expectNoDifference(
        stage.take(),
        ["more max(1)", "more max(1)", "3", "cancel 1", "rest 10 s"]
      )
      stage.clock.advance(by: .seconds(10))
      expectNoDifference(stage.take(), ["subscribe 2"])
      stage.downstream.request(.max(2))
      stage.send(4, 5, 6)
      stage.clock.advance(by: .seconds(10))
      expectNoDifference(
        stage.take(),
        [
          "ask max(2)", "more max(1)", "more max(1)", "6", "cancel 2", "rest 10 s", "subscribe 3",
          "ask max(1)",
        ]
      )
      stage.downstream.cancel()
    }
  }

  @Test("Limited demand: what a return hands out early is not asked for twice")
  func limitedDemandOnReturn() {
    for kind in BusKind.allCases {
      let stage = DutyCycleStage(kind, demand: .max(1))
      stage.bus.send(.didEnterBackground)
      stage.send(1)
      stage.bus.send(.willEnterForeground)
      // Upstream still owes one, which waits.
      stage.send(2)
      expectNoDifference(stage.take(), ["more max(1)", "1"])
      stage.downstream.request(.max(2))
      expectNoDifference(stage.take(), ["ask max(1)", "2"])
      stage.downstream.cancel()
    }
  }

  @Test("A burst that nobody has asked for waits, and the rest begins", arguments: BusKind.allCases)
  func nothingAskedFor(_ kind: BusKind) {
    let stage = DutyCycleStage(kind, DutyCycle(burst: 1, rest: .seconds(10)), demand: .none)
    stage.bus.send(.didEnterBackground)
    _ = stage.take()
    stage.send(1)
    expectNoDifference(stage.take(), ["cancel 1", "rest 10 s"])
    stage.bus.send(.willTerminate)
    expectNoDifference(stage.take(), [])
    stage.downstream.request(.max(1))
    expectNoDifference(stage.take(), ["1", "finished"])
  }

  @Test("A meter shows how long upstream was subscribed")
  func meterShowsHowLongUpstreamWasSubscribed() {
    let stage = DutyCycleStage(.mainActor)
    stage.clock.advance(by: .seconds(4))
    stage.bus.send(.didEnterBackground)
    stage.send(1, 2, 3)
    stage.clock.advance(by: .seconds(10))
    stage.clock.advance(by: .seconds(2))
    let meter = stage.meter
    expectNoDifference(meter.subscribedDuration, .seconds(6))
    expectNoDifference(meter.observedDuration, .seconds(16))
    expectNoDifference(meter.subscribedShare, 6.0 / 16)
    expectNoDifference(meter.subscriptionCount, 2)
    expectNoDifference(meter.restCount, 1)
    stage.upstream.send(completion: .finished)
    stage.clock.advance(by: .seconds(100))
    expectNoDifference(meter.subscribedDuration, .seconds(6))
    expectNoDifference(meter.observedDuration, .seconds(16))
    expectNoDifference(DutyCycleMeter().subscribedShare, 0)
  }

  @Test("A meter stops when the subscription is cancelled")
  func meterOfCancelled() {
    let stage = DutyCycleStage(.nonisolated)
    stage.clock.advance(by: .seconds(4))
    stage.downstream.cancel()
    stage.clock.advance(by: .seconds(4))
    expectNoDifference(stage.meter.subscribedDuration, .seconds(4))
    expectNoDifference(stage.meter.observedDuration, .seconds(4))
  }

  @Test("Bad values are reported, and set to the nearest that is possible")
  func badValues() {
    var cycle: DutyCycle?
    expectReportedIssue("burst of 0 values, so the burst was set to 1", line: #line + 1) {
      cycle = DutyCycle(burst: 0, rest: .seconds(1))
    }
    expectNoDifference(cycle?.burst, 1)
    expectReportedIssue("rest of -1 s, so the rest was set to zero", line: #line + 1) {
      cycle = DutyCycle(burst: 1, rest: .seconds(-1))
    }
    expectNoDifference(cycle?.rest, .zero)
  }
}
