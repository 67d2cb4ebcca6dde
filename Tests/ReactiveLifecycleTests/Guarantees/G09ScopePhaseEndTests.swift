import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Scopes that end when the phase meets a condition.
@MainActor
@Suite("G9 Scopes: the end at a phase")
struct G09ScopePhaseEndTests {
  /// The conditions that a phase may not meet.
  private static let conditions: [LifecyclePhase.Condition] = [
    .atLeast(.background), .atLeast(.inactive), .atLeast(.active),
    .atMost(.terminated), .atMost(.unknown), .atMost(.background), .atMost(.inactive),
  ]

  private static let paths: [(LifecyclePhase, [LifecycleEvent.Kind])] = [
    (.unknown, []),
    (.background, [.didFinishLaunching]),
    (.inactive, [.willEnterForeground]),
    (.active, [.didBecomeActive]),
    (.inactive, [.didBecomeActive, .willResignActive]),
    (.background, [.didBecomeActive, .didEnterBackground]),
  ]

  private static let inputs: [LifecycleEvent.Kind] = [
    .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
    .didEnterBackground, .willTerminate, .systemDidWake,
  ]

  /// Returns a Boolean value that indicates whether the scope must have ended after the events.
  private func mustEnd(
    _ condition: LifecyclePhase.Condition,
    from start: LifecyclePhase,
    after events: [LifecycleEvent]
  ) -> Bool {
    guard start == .unknown else {
      return ([start] + events.map(\.phase)).contains(where: condition.contains)
    }
    let goesUp = condition.description.hasPrefix("at least")
    return events.contains { event in
      let isInDirection =
        goesUp ? event.phase > event.previousPhase : event.phase < event.previousPhase
      return isInDirection && condition.contains(event.phase)
    }
  }

  @Test(
    "From every phase, with every condition, after every two inputs",
    arguments: BusKind.allCases
  )
  func everyCase(_ kind: BusKind) {
    var count = 0
    let sequences = Self.inputs.flatMap { first in Self.inputs.map { [first, $0] } }
    for (start, path) in Self.paths {
      for condition in Self.conditions {
        for sequence in sequences {
          count += 1
          let bus = kind.make()
          for kind in path { bus.send(kind) }
          expectNoDifference(bus.phase, start)
          let scope = LifecycleScope()
          let steps = Collector<(LifecycleEvent, wasEnded: Bool)>()
          let token = bus.addObserver { steps(($0, scope.isEnded)) }
          scope.end(when: condition, of: bus)
          let endedAtOnce = scope.isEnded
          for kind in sequence { bus.send(kind) }
          token.cancel()
          let events = steps.values.map(\.0)
          let ended = [endedAtOnce] + steps.values.map(\.wasEnded) + [scope.isEnded]
          var expected = [mustEnd(condition, from: start, after: [])]
          expected += (0...events.count).map {
            mustEnd(condition, from: start, after: Array(events.prefix($0)))
          }
          // The scope ends with the bus.
          if bus.phase == .terminated { expected[expected.count - 1] = true }
          guard ended != expected else { continue }
          Issue.record("\(start), \(condition), \(sequence): \(ended) instead of \(expected)")
          return
        }
      }
    }
    expectNoDifference(count, 6 * 7 * 49)
  }

  @Test("After the event has reached every observer, before the next", arguments: BusKind.allCases)
  func afterEveryObserver(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let scope = LifecycleScope()
    let first = bus.addObserver { trace("first \($0.shortLine), \(scope.isEnded)") }
    bus.addObserver(in: scope) { trace("scope \($0.shortLine)") }
    let last = bus.addObserver { [unowned bus] event in
      trace("last \(event.shortLine), \(scope.isEnded)")
      if event.kind == .willResignActive { bus.send(.didBecomeActive) }
    }
    AnyCancellable { trace("ended") }.store(in: scope)
    scope.end(when: .atMost(.background), of: bus)
    bus.send(.didEnterBackground)
    first.cancel()
    last.cancel()
    expectNoDifference(
      trace.lines,
      [
        "last 4 willResignActive, false", "scope 4 willResignActive",
        "first 4 willResignActive, false",
        "last 5 didEnterBackground, false", "scope 5 didEnterBackground",
        "first 5 didEnterBackground, false",
        "ended",
        "first 6 willEnterForeground, true", "last 6 willEnterForeground, true",
        "first 7 didBecomeActive, true", "last 7 didBecomeActive, true",
      ]
    )
  }

  @Test("A scope of the time before the launch outlasts the launch", arguments: BusKind.allCases)
  func beforeTheLaunch(_ kind: BusKind) {
    let bus = kind.make()
    let scope = LifecycleScope()
    scope.end(when: .atMost(.background), of: bus)
    bus.send(all: .systemDidWake, .didFinishLaunching, .willEnterForeground, .didBecomeActive)
    #expect(!scope.isEnded)
    bus.send(.didEnterBackground)
    #expect(scope.isEnded)
  }

  @Test("In a phase that meets the condition already, at once", arguments: BusKind.allCases)
  func atOnce(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didFinishLaunching)
    let trace = Trace()
    let scope = LifecycleScope()
    scope.onEnd { trace("ended") }
    scope.end(when: .atMost(.background), of: bus)
    expectNoDifference(trace.lines, ["ended"])
    // On the calling thread, wherever the bus delivers.
    let other = LifecycleScope()
    let isEnded = onOtherThread { [core = bus.core] in
      other.end(when: .atMost(.background), of: EitherCore(core: core))
      return other.isEnded
    }
    #expect(isEnded)
  }

  private final class EitherCore: LifecycleBusProtocol {
    let core: LifecycleBusCore
    init(core: LifecycleBusCore) { self.core = core }
  }

  @Test("Asked for inside the delivery that brings the phase, at once", arguments: BusKind.allCases)
  func insideTheDelivery(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let scope = LifecycleScope()
    // Downward: in reverse order of registration.
    bus.addObserver(in: scope) { trace("scope \($0.shortLine)") }
    let token = bus.addObserver { [unowned bus] event in
      if event.kind == .didEnterBackground { scope.end(when: .atMost(.background), of: bus) }
      trace("other \(event.shortLine), \(scope.isEnded)")
    }
    bus.send(.didEnterBackground)
    token.cancel()
    expectNoDifference(
      trace.lines,
      [
        "other 4 willResignActive, false", "scope 4 willResignActive",
        "other 5 didEnterBackground, true",
      ]
    )
  }

  @Test(
    "Asked for inside a delivery, with the phase accepted and not delivered yet, after its event",
    arguments: BusKind.allCases
  )
  func beforeQueuedEvent(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    bus.addObserver(in: scope) { trace("scope \($0.shortLine)") }
    let token = bus.addObserver(for: .didBecomeActive) { [unowned bus] _ in
      bus.send(.didEnterBackground)
      scope.end(when: .atMost(.background), of: bus)
      trace("asked, \(scope.isEnded)")
    }
    bus.send(.didBecomeActive)
    token.cancel()
    #expect(scope.isEnded)
    expectNoDifference(
      trace.lines.suffix(4),
      [
        "scope 3 didBecomeActive", "asked, false", "scope 4 willResignActive",
        "scope 5 didEnterBackground",
      ]
    )
  }

  @Test("Events that an observer catches up with end nothing", arguments: BusKind.allCases)
  func catchUp(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let scope = LifecycleScope()
    scope.end(when: .atMost(.background), of: bus)
    bus.addObserver(in: scope, catchUp: .path) { trace("\($0.kind) \($0.phase)") }
    let token = bus.addObserver(for: .systemDidWake) { [unowned bus] _ in
      bus.addObserver(in: scope, catchUp: .path) { trace("late \($0.kind) \($0.phase)") }
    }
    bus.send(.systemDidWake)
    token.cancel()
    #expect(!scope.isEnded)
    expectNoDifference(
      trace.lines,
      [
        "didFinishLaunching background", "willEnterForeground inactive", "didBecomeActive active",
        "systemDidWake active", "late didFinishLaunching background",
        "late willEnterForeground inactive", "late didBecomeActive active",
      ]
    )
  }

  @Test(
    "With the bus, if it ends first; on a bus that has ended, at once",
    arguments: BusKind.allCases
  )
  func endOfTheBus(_ kind: BusKind) {
    let trace = Trace()
    let scopes = ["terminated", "released", "late"].map { name in
      let scope = LifecycleScope(name)
      scope.onEnd { trace("\(name) ended") }
      return scope
    }
    var bus: (any LifecycleBusProtocol)? = kind.make()
    bus!.send(.didFinishLaunching)
    let sink = bus!.events.sink { _ in
      trace("stream finished")
    } receiveValue: { _ in
    }
    scopes[0].end(when: .atLeast(.active), of: bus!)
    bus!.send(.willTerminate)
    expectNoDifference(trace.take(), ["stream finished", "terminated ended"])
    sink.cancel()
    scopes[2].end(when: .atLeast(.active), of: bus!)
    expectNoDifference(trace.take(), ["late ended"])
    bus = kind.make()
    scopes[1].end(when: .atLeast(.active), of: bus!)
    bus = nil
    expectNoDifference(trace.take(), ["released ended"])
  }

  @Test("Ended otherwise, it leaves nothing on the bus; ended scopes are reported")
  func endedOtherwise() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    var scope: LifecycleScope? = LifecycleScope("screen")
    let core = Weak(scope!.core)
    scope?.end(when: .atMost(.background), of: bus)
    scope?.end(at: .systemDidWake, of: bus)
    scope?.end()
    expectReportedIssue("The scope \"screen\" has already ended", line: #line + 1) {
      scope?.end(when: .atMost(.inactive), of: bus)
    }
    scope = nil
    #expect(!core.isAlive)
    bus.send(.didEnterBackground)
  }

  @Test("Ended by its phase while it asks for it, on another thread, it ends and reports nothing")
  func endedMeanwhile() async {
    for _ in 1...200 {
      let bus = NonisolatedLifecycleBus(clock: ManualClock())
      bus.send(.didBecomeActive)
      let scope = LifecycleScope()
      await awaitOtherThreads(2) { thread in
        guard thread == 0 else { return _ = bus.send(.didEnterBackground) }
        scope.end(when: .atMost(.background), of: bus)
      }
      // Whichever came first: unlike with `end(at:)`, no further event is needed.
      #expect(scope.isEnded)
    }
  }
}
