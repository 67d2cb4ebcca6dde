import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("G9 Scopes: the end at an event or a phase")
struct G09ScopeEndingTests {
  @Test(
    "A scope ends at an event: after every observer, before the next",
    arguments: BusKind.allCases
  )
  func endsAtEvent(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let first = bus.addObserver { trace("first \($0.shortLine), \(scope.isEnded)") }
    bus.addObserver(in: scope) { trace("scope \($0.shortLine)") }
    let last = bus.addObserver { [unowned bus] event in
      trace("last \(event.shortLine), \(scope.isEnded)")
      if event.kind == .willEnterForeground { bus.send(.didEnterBackground) }
    }
    scope.onEnd { trace("ended") }
    scope.end(at: [.didEnterBackground, .willTerminate], of: bus)
    bus.send(.willEnterForeground)
    bus.send(.willTerminate)
    first.cancel()
    last.cancel()
    expectNoDifference(
      trace.lines,
      [
        "first 1 didFinishLaunching, false", "scope 1 didFinishLaunching",
        "last 1 didFinishLaunching, false",
        "first 2 willEnterForeground, false", "scope 2 willEnterForeground",
        "last 2 willEnterForeground, false",
        "last 3 didEnterBackground, false", "scope 3 didEnterBackground",
        "first 3 didEnterBackground, false",
        "ended",
        "last 4 willTerminate, true", "first 4 willTerminate, true",
      ]
    )
  }

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

  @Test("In a phase that meets the condition, it ends at once, on the calling thread")
  func atOnce() {
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.didFinishLaunching)
    let scope = LifecycleScope()
    // The main actor, where the bus delivers, is blocked meanwhile.
    let isEnded = onOtherThread {
      scope.end(when: .atMost(.background), of: bus)
      return scope.isEnded
    }
    #expect(isEnded)
  }

  @Test(
    "It ends with the bus: after the streams, or at the bus's release, or at once if it has ended",
    arguments: BusKind.allCases
  )
  func endOfTheBus(_ kind: BusKind) {
    let trace = Trace()
    var bus: (any LifecycleBusProtocol)? = kind.make()
    // What the scopes wait for does not come.
    func ending(_ name: String) -> [LifecycleScope] {
      let scopes = [LifecycleScope(), LifecycleScope()]
      for (number, scope) in scopes.enumerated() { scope.onEnd { trace("\(name) \(number)") } }
      scopes[0].end(at: .systemDidWake, of: bus!)
      scopes[1].end(when: .atLeast(.active), of: bus!)
      return scopes
    }
    let terminated = ending("terminated")
    let sink = bus!.events.sink { _ in
      trace("stream finished")
    } receiveValue: { event in
      trace(event.shortLine)
    }
    bus!.send(.willTerminate)
    let late = ending("late")
    bus = kind.make()
    let released = ending("released")
    bus = nil
    expectNoDifference(
      trace.lines,
      [
        "1 willTerminate", "stream finished", "terminated 0", "terminated 1", "late 0", "late 1",
        "released 0", "released 1",
      ]
    )
    withExtendedLifetime((sink, terminated, late, released)) {}
  }

  @Test("Ended on another thread while it asks for its end, it ends, and reports nothing")
  func endedMeanwhile() async {
    for _ in 1...200 {
      let bus = NonisolatedLifecycleBus(clock: ManualClock())
      bus.send(.didBecomeActive)
      let (atEvent, atPhase) = (LifecycleScope(), LifecycleScope())
      await awaitOtherThreads(2) { thread in
        guard thread == 0 else { return _ = bus.send(.didEnterBackground) }
        atEvent.end(at: .didEnterBackground, of: bus)
        atPhase.end(when: .atMost(.background), of: bus)
      }
      #expect(atPhase.isEnded)
      // The event may have come first. The phase needs no further one.
      bus.send(all: .willEnterForeground, .didEnterBackground)
      #expect(atEvent.isEnded)
    }
  }
}
