import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Settled phases")
struct SettleTests {
  @Test("A way up is told at once, a way down when it has lasted", arguments: BusKind.allCases)
  func upAndDown(_ kind: BusKind) {
    let stage = SettleStage(kind)
    let sink = stage.sink()
    stage.send(.didBecomeActive)
    expectNoDifference(stage.trace.take(), ["unknown", "background", "inactive", "active"])
    stage.send(.willResignActive)
    stage.advance(1.999)
    expectNoDifference(stage.trace.take(), [])
    stage.advance(0.001)
    expectNoDifference(stage.trace.take(), ["inactive"])
    stage.send(.didBecomeActive)
    expectNoDifference(stage.trace.take(), ["active"])
    sink.cancel()
  }

  @Test(
    "Once a step down has been told, the next is told at once: the process may be suspended in it",
    arguments: BusKind.allCases
  )
  func furtherDown(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let sink = stage.sink()
    stage.send(.willResignActive)
    stage.advance(2)
    expectNoDifference(stage.trace.take(), ["active", "inactive"])
    stage.send(.didEnterBackground)
    expectNoDifference(stage.trace.take(), ["background"])
    #expect(stage.clock.timerCount == 0)
    // Until it is back where it came from, there is nothing to wait for.
    stage.send(.willEnterForeground)
    stage.send(.didEnterBackground)
    expectNoDifference(stage.trace.take(), ["inactive", "background"])
    stage.send(.didBecomeActive)
    stage.send(.didEnterBackground)
    expectNoDifference(stage.trace.take(), ["inactive", "active"])
    stage.advance(2)
    expectNoDifference(stage.trace.take(), ["inactive", "background"])
    sink.cancel()
  }

  @Test(
    "Steps that follow each other are told together, so long after the first",
    arguments: BusKind.allCases
  )
  func stepsAreDeliveredTogether(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let sink = stage.sink()
    _ = stage.trace.take()
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.advance(0.999)
    expectNoDifference(stage.trace.take(), [])
    stage.advance(0.001)
    expectNoDifference(stage.trace.take(), ["inactive", "background"])
    sink.cancel()
  }

  @Test(
    "Where the process has never been further forward, it is left as slowly",
    arguments: BusKind.allCases
  )
  func neverActive(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.willEnterForeground)
    let sink = stage.sink()
    for _ in 1...3 {
      stage.send(.didEnterBackground)
      stage.advance(1.999)
      stage.send(.willEnterForeground)
    }
    expectNoDifference(stage.trace.take(), ["inactive"])
    stage.send(.didEnterBackground)
    stage.advance(2)
    expectNoDifference(stage.trace.take(), ["background"])
    sink.cancel()
  }

  @Test("A return takes back what has not lasted, and no more", arguments: BusKind.allCases)
  func takenBack(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let sink = stage.sink()
    expectNoDifference(stage.trace.take(), ["active"])
    for _ in 1...3 {
      stage.send(.willResignActive)
      stage.advance(1)
      stage.send(.didBecomeActive)
      stage.advance(1)
    }
    expectNoDifference(stage.trace.take(), [])
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.advance(0.5)
    stage.send(.willEnterForeground)
    // Still no further forward than inactive since two seconds ago.
    stage.advance(0.5)
    expectNoDifference(stage.trace.take(), ["inactive"])
    stage.advance(10)
    expectNoDifference(stage.trace.take(), [])
    sink.cancel()
  }

  @Test(
    "What was due when the way up comes is told before it, though no timer came",
    arguments: BusKind.allCases
  )
  func timersHeldUp(_ kind: BusKind) {
    let stage = SettleStage(kind, timers: false)
    stage.send(.didBecomeActive)
    let sink = stage.sink()
    stage.send(.didEnterBackground)
    stage.clock.sleepDevice(for: .seconds(60))
    expectNoDifference(stage.trace.take(), ["active"])
    stage.send(.didBecomeActive)
    expectNoDifference(stage.trace.take(), ["inactive", "background", "inactive", "active"])
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.advance(1.5)
    // The way down has lasted, though not the background.
    stage.send(.willEnterForeground)
    expectNoDifference(stage.trace.take(), ["inactive", "background", "inactive"])
    sink.cancel()
  }

  @Test("After a sleep, what was due is told at the wake-up", arguments: BusKind.allCases)
  func dueAfterSleepIsToldAtWakeUp(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let sink = stage.sink()
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.clock.sleepDevice(for: .seconds(60))
    expectNoDifference(stage.trace.take(), ["active", "inactive", "background"])
    sink.cancel()
  }

  @Test("Time is measured from the events' instants", arguments: BusKind.allCases)
  func instantsInThePast(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let sink = stage.sink()
    stage.advance(10)
    stage.send(.willResignActive, at: 9)
    expectNoDifference(stage.trace.take(), ["active"])
    stage.advance(1)
    expectNoDifference(stage.trace.take(), ["inactive"])
    stage.send(.didEnterBackground, at: 9)
    expectNoDifference(stage.trace.take(), ["background"])
    stage.send(.didBecomeActive)
    expectNoDifference(stage.trace.take(), ["inactive", "active"])
    stage.send(.didEnterBackground)
    stage.advance(1)
    // It comes back at an instant that lies a second before the way down is due.
    stage.send(.didBecomeActive, at: 12)
    stage.advance(10)
    expectNoDifference(stage.trace.take(), [])
    expectNoDifference(stage.clock.timerCount, 0)
    sink.cancel()
  }

  @Test(
    "A return that was accepted before the deadline wins, delivered late",
    arguments: BusKind.allCases
  )
  func deliveredLate(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let sink = stage.sink()
    let busy = stage.bus.addObserver(for: [.systemDidWake]) { [unowned stage] _ in
      stage.advance(1)
      stage.send(.didBecomeActive)
      stage.advance(10)
    }
    stage.send(.willResignActive)
    stage.send(.systemDidWake)
    expectNoDifference(stage.trace.take(), ["active"])
    busy.cancel()
    sink.cancel()
  }

  @Test(
    "A way down that was due before a return, but not the one after it, is told, delivered late",
    arguments: BusKind.allCases
  )
  func dueBeforeALateReturn(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let sink = stage.sink()
    let busy = stage.bus.addObserver(for: [.systemDidWake]) { [unowned stage] _ in
      stage.advance(1.5)
      stage.send(.willEnterForeground)
      stage.advance(10)
    }
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.send(.systemDidWake)
    expectNoDifference(
      stage.trace.take(),
      ["active", "inactive", "background", "inactive"]
    )
    busy.cancel()
    sink.cancel()
  }

  @Test("With no duration everything is told at once", arguments: BusKind.allCases, [0, -1])
  func noDuration(_ kind: BusKind, seconds: Int) {
    let stage = SettleStage(kind)
    let phases = Trace()
    let all = stage.bus.phases.sink { phases($0.rawValue) }
    let sink = stage.settled(seconds).sink { stage.trace($0.rawValue) }
    stage.send(.didBecomeActive)
    stage.send(.didEnterBackground)
    stage.send(.willEnterForeground)
    expectNoDifference(
      stage.trace.lines,
      ["unknown", "background", "inactive", "active", "inactive", "background", "inactive"]
    )
    expectNoDifference(stage.trace.lines, phases.lines)
    expectNoDifference(stage.clock.timerCount, 0)
    stage.send(.willTerminate)
    expectNoDifference(stage.trace.lines, phases.lines)
    withExtendedLifetime((all, sink)) {}
  }

  @Test("Settling settled phases adds the durations up", arguments: BusKind.allCases)
  func settlingTwiceAddsTheDurations(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let sink = stage.settled(2).settle(for: .seconds(-5)).settle(for: .seconds(1))
      .sink { stage.trace($0.rawValue) }
    stage.send(.willResignActive)
    stage.advance(2.5)
    stage.send(.didBecomeActive)
    stage.send(.willResignActive)
    stage.advance(2.999)
    expectNoDifference(stage.trace.take(), ["active"])
    stage.advance(0.001)
    expectNoDifference(stage.trace.take(), ["inactive"])
    sink.cancel()
  }

  @Test("The current phase comes first, settled or not", arguments: BusKind.allCases)
  func currentPhaseComesFirst(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    stage.send(.willResignActive)
    let sink = stage.sink()
    stage.advance(10)
    expectNoDifference(stage.trace.take(), ["inactive"])
    stage.send(.didEnterBackground)
    stage.advance(2)
    expectNoDifference(stage.trace.take(), ["background"])
    sink.cancel()
  }

  @Test("A stay is not changed by settling", arguments: BusKind.allCases)
  func stayIsNotChangedBySettling(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let sink = stage.sink()
    let stays = stage.bus.backgroundStays.sink { stage.trace("stay of \($0.duration)") }
    for seconds in [1.0, 3] {
      stage.send(.didEnterBackground)
      stage.advance(seconds)
      stage.send(.didBecomeActive)
    }
    expectNoDifference(
      stage.trace.lines,
      [
        "active", "stay of 1.0 seconds", "inactive", "background", "inactive",
        "stay of 3.0 seconds", "active",
      ]
    )
    withExtendedLifetime((sink, stays)) {}
  }

  @Test(
    "There is one timer while a way down is pending, and none else",
    arguments: BusKind.allCases
  )
  func oneTimerWhileWayDownIsPending(_ kind: BusKind) {
    let stage = SettleStage(kind)
    var counts: [Int] = []
    func note() { counts.append(stage.clock.timerCount) }
    stage.send(.didBecomeActive)
    let sink = stage.sink()
    note()
    stage.send(.willResignActive)
    note()
    stage.advance(1)
    stage.send(.didEnterBackground)
    note()
    stage.advance(1)
    note()
    expectNoDifference(counts, [0, 1, 1, 0])
    counts = []
    stage.send(.didBecomeActive)
    note()
    stage.send(.didEnterBackground)
    note()
    stage.send(.didBecomeActive)
    note()
    stage.send(.willResignActive)
    note()
    sink.cancel()
    note()
    expectNoDifference(counts, [0, 1, 0, 1, 0])
  }

  @Test("A subscriber can be found in the line that settled", arguments: BusKind.allCases)
  func subscriberIsNamedByLineThatSettled(_ kind: BusKind) {
    let stage = SettleStage(kind)
    let sink = stage.bus.phases.settle(for: .seconds(2), fileID: "App/Model.swift", line: 12)
      .sink { [unowned stage] _ in
        stage.trace(stage.bus.core.runningObserver?.description ?? "nobody")
      }
    expectNoDifference(stage.bus.liveSubscriptions.map(\.location.line), [12])
    stage.send(.didBecomeActive)
    stage.send(.willResignActive)
    _ = stage.trace.take()
    // In the turn that its timer brought it.
    stage.advance(2)
    expectNoDifference(stage.trace.take(), ["App/Model.swift:12"])
    sink.cancel()
  }
}
