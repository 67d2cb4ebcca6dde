import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("G11 Time")
struct G11TimeTests {
  nonisolated private func line(_ stay: BackgroundStay?) -> String {
    guard let stay else { return "no stay" }
    return """
      \(stay.timeAway.components.seconds) s, \(stay.timeAsleep.components.seconds) asleep, \
      \(stay.wallClockShift.components.seconds) shifted
      """
  }

  @Test("A stay counts sleep, and has the shift of the wall clock", arguments: BusKind.allCases)
  func threeClocks(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    bus.send(.didBecomeActive)
    let stays = LifecycleRecorder(bus.backgroundStays, of: bus)
    for shift in [0, -3600, 86_400] {
      bus.send(.didEnterBackground)
      clock.advance(by: .seconds(30))
      clock.sleepDevice(for: .seconds(60))
      clock.setWallClock(by: .seconds(shift))
      bus.send(.willEnterForeground)
    }
    expectLifecycle(
      stays,
      matches: """
          [90 s inactive] away 90 s, asleep 60 s
          [180 s inactive] away 90 s, asleep 60 s, clock set by -3600 s
          [270 s inactive] away 90 s, asleep 60 s, clock set by 86400 s
        """
    )
  }

  @Test(
    "A stay rides on willEnterForeground, synthesized or not, and on nothing else",
    arguments: BusKind.allCases
  )
  func whereStaysRide(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let trace = Trace()
    let token = bus.addObserver { [self] in
      trace("\($0.kind) \($0.origin): \(line($0.backgroundStay))")
    }
    // From unknown: the foreground that must have been is the first, and has no stay.
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(1))
    bus.send(.systemDidWake)
    bus.send(.didBecomeActive)
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(2))
    bus.send(.willEnterForeground)
    bus.send(.willTerminate)
    token.cancel()
    expectNoDifference(
      trace.lines,
      [
        "didFinishLaunching synthesized: no stay",
        "willEnterForeground synthesized: no stay",
        "didEnterBackground manual: no stay",
        "systemDidWake manual: no stay",
        "willEnterForeground synthesized: 1 s, 0 asleep, 0 shifted",
        "didBecomeActive manual: no stay",
        "willResignActive synthesized: no stay",
        "didEnterBackground manual: no stay",
        "willEnterForeground manual: 2 s, 0 asleep, 0 shifted",
        "didEnterBackground synthesized: no stay",
        "willTerminate manual: no stay",
      ]
    )
  }

  @Test("A stay is measured between the instants of the inputs", arguments: BusKind.allCases)
  func instantsOfInputs(_ kind: BusKind) throws {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let source = TestSource()
    let connection = try bus.connect(source)
    let stays = LifecycleRecorder(bus.backgroundStays, of: bus)
    bus.send(.didBecomeActive)
    let left = clock.now
    // A source that settles for ten seconds reports late, with the instant when it began.
    clock.advance(by: .seconds(10))
    source.feed.send(.didEnterBackground, at: left)
    clock.advance(by: .seconds(10))
    let returned = clock.now
    clock.advance(by: .seconds(10))
    bus.send(.willEnterForeground, at: returned)
    connection.cancel()
    expectLifecycle(stays, matches: "  [30 s inactive] away 20 s")
  }

  @Test("A late delivery on the main actor does not change a stay")
  func hopDoesNotCount() async {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let stays = LifecycleRecorder(bus.backgroundStays, of: bus)
    onOtherThread {
      bus.send(.didEnterBackground)
      clock.advance(by: .seconds(5))
      bus.send(.willEnterForeground)
    }
    clock.advance(by: .seconds(500))
    await mainQueueToDrain()
    expectLifecycle(stays, matches: "  [505 s inactive] away 5 s")
  }

  @Test("A stay is never negative nor shorter than its sleep, whatever the clocks show")
  func staysOfOddClocks() {
    let readings: [Duration] = [.zero, .milliseconds(1), .seconds(1), .seconds(90)]
    var instants: [LifecycleInstant] = []
    for continuous in readings {
      for suspending in readings {
        for wall in readings {
          instants.append(LifecycleInstant([continuous, suspending, wall]))
        }
      }
    }
    for entered in instants {
      for returned in instants {
        let stay = BackgroundStay(from: entered, to: returned)
        let continuous = returned.continuous - entered.continuous
        expectNoDifference(stay.timeAway, continuous < .zero ? .zero : continuous)
        #expect(stay.timeAsleep >= .zero && stay.timeAsleep <= stay.timeAway)
        expectNoDifference(
          stay.wallClockShift,
          returned.timeSince1970 - entered.timeSince1970 - continuous
        )
      }
    }
  }

  // MARK: capturing

  @Test("What is captured on the way out is handed back on the return", arguments: BusKind.allCases)
  func captureOnWayOutIsHandedBackOnReturn(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let trace = Trace()
    let scope = LifecycleScope()
    let position = Locked(1)
    let first = bus.addObserver { trace("before \($0.kind)") }
    bus.onReturn(in: scope) {
      trace("capture")
      return position.withLock { $0 }
    } using: { [self] stay, position in
      trace("return, \(line(stay)), position \(position.map(String.init) ?? "nil")")
    }
    let last = bus.addObserver { trace("after \($0.kind)") }
    bus.send(.didEnterBackground)
    position.withLock { $0 = 2 }
    clock.advance(by: .seconds(3))
    bus.send(.didEnterBackground)
    bus.send(.willEnterForeground)
    bus.send(.didEnterBackground)
    bus.send(.willEnterForeground)
    first.cancel()
    last.cancel()
    expectNoDifference(
      trace.lines,
      [
        "before didFinishLaunching", "after didFinishLaunching",
        "before willEnterForeground", "after willEnterForeground",
        "capture", "after didEnterBackground", "before didEnterBackground",
        "before willEnterForeground", "return, 3 s, 0 asleep, 0 shifted, position 1",
        "after willEnterForeground",
        "capture", "after didEnterBackground", "before didEnterBackground",
        "before willEnterForeground", "return, 0 s, 0 asleep, 0 shifted, position 2",
        "after willEnterForeground",
      ]
    )
    scope.end()
  }

  @Test(
    "Captures run in order of registration, without observers that join or leave meanwhile",
    arguments: BusKind.allCases
  )
  func capturesInOrderOfRegistration(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let scope = LifecycleScope()
    let leaving = LifecycleScope()
    let joins = Locked(true)
    bus.onReturn(in: scope, line: 7) {
      trace("capture 1, \(bus.core.runningObserver?.line ?? 0) runs")
      leaving.end()
      guard joins.exchange(false) else { return }
      bus.onReturn(in: scope) {
        trace("capture 3")
      } using: { _, captured in
        trace("return 3: \(captured == nil ? "nothing" : "something")")
      }
    } using: { _, captured in
      trace("return 1: \(captured == nil ? "nothing" : "something")")
    }
    bus.onReturn(in: leaving) {
      trace("capture of one that left")
    } using: { _, _ in
      trace("left")
    }
    bus.onReturn(in: scope) {
      trace("capture 2")
    } using: { _, _ in
      trace("return 2")
    }
    bus.send(all: .didEnterBackground, .willEnterForeground)
    expectNoDifference(
      trace.take(),
      [
        "capture 1, 7 runs", "capture 2", "return 1: something", "return 2", "return 3: nothing",
      ]
    )
    bus.send(all: .didEnterBackground, .willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "capture 1, 7 runs", "capture 2", "capture 3",
        "return 1: something", "return 2", "return 3: something",
      ]
    )
    scope.end()
  }

  @Test("What was captured is released after its return", arguments: BusKind.allCases)
  func capturedIsReleased(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    bus.onReturn(in: scope) {
      Canary { trace("released") }
    } using: { _, _ in
      trace("return")
    }
    bus.send(all: .didEnterBackground, .didBecomeActive, .systemDidWake)
    expectNoDifference(trace.take(), ["return", "released"])
    bus.send(.didEnterBackground)
    scope.end()
    expectNoDifference(trace.lines, ["released"])
  }

  /// Not sendable: only main-actor closures can have it.
  private final class Reader {
    var page: Int? = 1
  }

  @Test("A main-actor observer is handed back what it captured, or nil if it joined too late")
  func mainActorFormHandsBackWhatItCaptured() {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let scope = LifecycleScope()
    let reader = Reader()
    let log = Trace()
    bus.send(.didEnterBackground)
    for number in 1...2 {
      bus.onReturn(in: scope, id: "page", capturing: { reader.page }) { stay, page in
        let seconds = stay.timeAway.components.seconds
        log("\(number): \(seconds) s, page \(page.map { $0.map(String.init) ?? "none" } ?? "nil")")
      }
    }
    clock.advance(by: .seconds(3))
    bus.send(all: .willEnterForeground, .didEnterBackground)
    reader.page = nil
    clock.advance(by: .seconds(5))
    bus.send(all: .willEnterForeground, .didEnterBackground, .willEnterForeground)
    expectNoDifference(log.lines, ["2: 3 s, page nil", "2: 5 s, page 1", "2: 0 s, page none"])
    scope.end()
  }
}
