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
    let phases = stage.record()
    stage.send(.didBecomeActive)
    expectNoDifference(phases.takeElements(), [.unknown, .background, .inactive, .active])
    stage.send(.willResignActive)
    stage.advance(1.999)
    expectNoDifference(phases.takeElements(), [])
    stage.advance(0.001)
    expectNoDifference(phases.takeElements(), [.inactive])
    stage.send(.didBecomeActive)
    expectNoDifference(phases.takeElements(), [.active])
  }

  @Test(
    "Once a step down has been told, the next is told at once: the process may be suspended in it",
    arguments: BusKind.allCases
  )
  func furtherDown(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let phases = stage.record()
    stage.send(.willResignActive)
    stage.advance(2)
    expectNoDifference(phases.takeElements(), [.active, .inactive])
    stage.send(.didEnterBackground)
    expectNoDifference(phases.takeElements(), [.background])
    expectNoDifference(stage.clock.timerCount, 0)
    // Until it is back where it came from, there is nothing to wait for.
    stage.send(.willEnterForeground)
    stage.send(.didEnterBackground)
    expectNoDifference(phases.takeElements(), [.inactive, .background])
    stage.send(.didBecomeActive)
    stage.send(.didEnterBackground)
    expectNoDifference(phases.takeElements(), [.inactive, .active])
    stage.advance(2)
    expectNoDifference(phases.takeElements(), [.inactive, .background])
  }

  @Test(
    "Steps that follow each other are told together, so long after the first",
    arguments: BusKind.allCases
  )
  func stepsAreDeliveredTogether(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let phases = stage.record()
    phases.takeElements()
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.advance(0.999)
    expectNoDifference(phases.takeElements(), [])
    stage.advance(0.001)
    expectNoDifference(phases.takeElements(), [.inactive, .background])
  }

  @Test(
    "Where the process has never been further forward, it is left as slowly",
    arguments: BusKind.allCases
  )
  func neverActive(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.willEnterForeground)
    let phases = stage.record()
    for _ in 1...3 {
      stage.send(.didEnterBackground)
      stage.advance(1.999)
      stage.send(.willEnterForeground)
    }
    expectNoDifference(phases.takeElements(), [.inactive])
    stage.send(.didEnterBackground)
    stage.advance(2)
    expectNoDifference(phases.takeElements(), [.background])
  }

  @Test("A return takes back what has not lasted, and no more", arguments: BusKind.allCases)
  func takenBack(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let phases = stage.record()
    expectNoDifference(phases.takeElements(), [.active])
    for _ in 1...3 {
      stage.send(.willResignActive)
      stage.advance(1)
      stage.send(.didBecomeActive)
      stage.advance(1)
    }
    expectNoDifference(phases.takeElements(), [])
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.advance(0.5)
    stage.send(.willEnterForeground)
    // Still no further forward than inactive since two seconds ago.
    stage.advance(0.5)
    expectNoDifference(phases.takeElements(), [.inactive])
    stage.advance(10)
    expectNoDifference(phases.takeElements(), [])
  }

  @Test(
    "What was due when the way up comes is told before it, though no timer came",
    arguments: BusKind.allCases
  )
  func timersHeldUp(_ kind: BusKind) {
    let stage = SettleStage(kind, timers: false)
    stage.send(.didBecomeActive)
    let phases = stage.record()
    stage.send(.didEnterBackground)
    stage.clock.sleepDevice(for: .seconds(60))
    expectNoDifference(phases.takeElements(), [.active])
    stage.send(.didBecomeActive)
    expectNoDifference(phases.takeElements(), [.inactive, .background, .inactive, .active])
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.advance(1.5)
    // The way down has lasted, though not the background.
    stage.send(.willEnterForeground)
    expectNoDifference(phases.takeElements(), [.inactive, .background, .inactive])
  }

  @Test("After a sleep, what was due is told at the wake-up", arguments: BusKind.allCases)
  func dueAfterSleepIsToldAtWakeUp(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let phases = stage.record()
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.clock.sleepDevice(for: .seconds(60))
    expectNoDifference(phases.takeElements(), [.active, .inactive, .background])
  }

  @Test("Time is measured from the events' instants", arguments: BusKind.allCases)
  func instantsInThePast(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let phases = stage.record()
    stage.advance(10)
    stage.send(.willResignActive, at: 9)
    expectNoDifference(phases.takeElements(), [.active])
    stage.advance(1)
    expectNoDifference(phases.takeElements(), [.inactive])
    stage.send(.didEnterBackground, at: 9)
    expectNoDifference(phases.takeElements(), [.background])
    stage.send(.didBecomeActive)
    expectNoDifference(phases.takeElements(), [.inactive, .active])
    stage.send(.didEnterBackground)
    stage.advance(1)
    // It comes back at an instant that lies a second before the way down is due.
    stage.send(.didBecomeActive, at: 12)
    stage.advance(10)
    expectNoDifference(stage.clock.timerCount, 0)
    expectNoDifference(phases.takeElements(), [])
  }

  @Test(
    "A return that was accepted before the deadline wins, delivered late",
    arguments: BusKind.allCases
  )
  func deliveredLate(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let phases = stage.record()
    let busy = stage.bus.addObserver(for: [.systemDidWake]) { [unowned stage] _ in
      stage.advance(1)
      stage.send(.didBecomeActive)
      stage.advance(10)
    }
    stage.send(.willResignActive)
    stage.send(.systemDidWake)
    expectNoDifference(phases.takeElements(), [.active])
    busy.cancel()
  }

  @Test(
    "A way down that was due before a return, but not the one after it, is told, delivered late",
    arguments: BusKind.allCases
  )
  func dueBeforeALateReturn(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let phases = stage.record()
    let busy = stage.bus.addObserver(for: [.systemDidWake]) { [unowned stage] _ in
      stage.advance(1.5)
      stage.send(.willEnterForeground)
      stage.advance(10)
    }
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.send(.systemDidWake)
    expectNoDifference(phases.takeElements(), [.active, .inactive, .background, .inactive])
    busy.cancel()
  }

  @Test("With no duration everything is told at once", arguments: BusKind.allCases, [0, -1])
  func noDuration(_ kind: BusKind, seconds: Int) {
    let stage = SettleStage(kind)
    let all = LifecycleRecorder(stage.bus.phases, of: stage.bus!)
    let phases = stage.record(seconds)
    stage.send(.didBecomeActive)
    stage.send(.didEnterBackground)
    stage.send(.willEnterForeground)
    expectNoDifference(
      phases.elements,
      [.unknown, .background, .inactive, .active, .inactive, .background, .inactive]
    )
    expectNoDifference(phases.elements, all.elements)
    expectNoDifference(stage.clock.timerCount, 0)
    stage.send(.willTerminate)
    expectNoDifference(phases.elements, all.elements)
  }

  @Test("Settling settled phases adds the durations up", arguments: BusKind.allCases)
  func settlingTwiceAddsTheDurations(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let settledTwice = stage.settled(2).settle(for: .seconds(-5)).settle(for: .seconds(1))
    let phases = LifecycleRecorder(settledTwice, of: stage.bus!)
    stage.send(.willResignActive)
    stage.advance(2.5)
    stage.send(.didBecomeActive)
    stage.send(.willResignActive)
    stage.advance(2.999)
    expectNoDifference(phases.takeElements(), [.active])
    stage.advance(0.001)
    expectNoDifference(phases.takeElements(), [.inactive])
  }

  @Test("The current phase comes first, settled or not", arguments: BusKind.allCases)
  func currentPhaseComesFirst(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    stage.send(.willResignActive)
    let phases = stage.record()
    stage.advance(10)
    expectNoDifference(phases.takeElements(), [.inactive])
    stage.send(.didEnterBackground)
    stage.advance(2)
    expectNoDifference(phases.takeElements(), [.background])
  }

  @Test("A stay is not changed by settling", arguments: BusKind.allCases)
  func stayIsNotChangedBySettling(_ kind: BusKind) {
    let lifecycle = kind.activeProcess()
    lifecycle.record(lifecycle.bus.phases.settle(for: .seconds(2)), as: "settled")
    lifecycle.record(lifecycle.bus.backgroundStays, as: "stay")
    lifecycle.perform(.background(for: .seconds(1)), .background(for: .seconds(3)))
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
          [0 s active] settled: active
        background(for: 1 s)
          [0 s inactive] willResignActive
          [0 s background] didEnterBackground
          [1 s inactive] willEnterForeground (away 1 s)
          [1 s inactive] stay: away 1 s
          [1 s active] didBecomeActive
        background(for: 3 s)
          [1 s inactive] willResignActive
          [1 s background] didEnterBackground
          [3 s background] settled: inactive
          [3 s background] settled: background
          [4 s inactive] willEnterForeground (away 3 s)
          [4 s inactive] settled: inactive
          [4 s inactive] stay: away 3 s
          [4 s active] didBecomeActive
          [4 s active] settled: active
        """
    )
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
    let phases = stage.record()
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
    phases.cancel()
    note()
    expectNoDifference(counts, [0, 1, 0, 1, 0])
  }

  @Test("A subscriber can be found in the line that settled", arguments: BusKind.allCases)
  func subscriberIsNamedByLineThatSettled(_ kind: BusKind) {
    let stage = SettleStage(kind)
    let running = stage.bus.phases.settle(for: .seconds(2), fileID: "App/Model.swift", line: 12)
      .map { [unowned stage] _ in stage.bus.core.runningObserver?.description ?? "nobody" }
    let observers = LifecycleRecorder(running, of: stage.bus!)
    expectNoDifference(stage.bus.liveSubscriptions.map(\.location.line), [12])
    stage.send(.didBecomeActive)
    stage.send(.willResignActive)
    observers.takeElements()
    // In the turn that its timer brought it.
    stage.advance(2)
    expectNoDifference(observers.takeElements(), ["App/Model.swift:12"])
  }
}
