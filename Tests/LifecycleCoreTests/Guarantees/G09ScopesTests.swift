import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("G9 Scopes")
struct G09ScopesTests {
  @Test("A scope cancels its members once, in reverse order", arguments: BusKind.allCases)
  func reverseOrder(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    func observe(_ name: String) {
      let canary = Canary { trace(name) }
      bus.addObserver(in: scope) { _ in canary.sing() }
    }
    observe("observer 1")
    AnyCancellable { trace("cancellable 2") }.store(in: scope)
    let child = LifecycleScope("child", parent: scope)
    AnyCancellable { trace("child's 3") }.store(in: child)
    AnyCancellable { trace("child's 4") }.store(in: child)
    observe("observer 5")
    LifecycleCancellable { trace("own cancellable 6") }.store(in: scope)
    scope.onEnd { trace("closure 7, \(scope.isEnded)") }
    #expect(!scope.isEnded)
    scope.end()
    #expect(scope.isEnded && child.isEnded)
    scope.end()
    child.end()
    expectNoDifference(
      trace.lines,
      [
        "closure 7, true", "own cancellable 6", "observer 5", "child's 4", "child's 3",
        "cancellable 2", "observer 1",
      ]
    )
  }

  @Test("A scope ended by many threads at once runs its closures once")
  func endedByManyThreads() async {
    for _ in 1...100 {
      let trace = Trace()
      let scope = LifecycleScope()
      for number in 1...5 { scope.onEnd { trace("\(number)") } }
      await awaitOtherThreads(8) { thread in
        if thread.isMultiple(of: 2) { scope.end() } else { _ = scope.isEnded }
      }
      #expect(scope.isEnded)
      expectNoDifference(trace.lines, ["5", "4", "3", "2", "1"])
    }
  }

  @Test("What is added to an ended scope is cancelled and reported", arguments: BusKind.allCases)
  func addingToEndedScope(_ kind: BusKind) throws {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let scope = LifecycleScope("screen")
    scope.end()

    let additions: [(String, () -> Void)] = [
      ("observer", { bus.addObserver(in: scope, catchUp: .path, line: 11) { trace($0.line) } }),
      ("return", { bus.onReturn(in: scope, line: 11) { _ in trace("return") } }),
      (
        "capture",
        { bus.onReturn(in: scope, line: 11, capturing: { 1 }) { _, _ in trace("return") } }
      ),
      ("cancellable", { AnyCancellable { trace("cancelled") }.store(in: scope, line: 11) }),
      ("token", { bus.addObserver { _ in trace("called") }.store(in: scope, line: 11) }),
      ("child", { #expect(LifecycleScope("child", parent: scope, line: 11).isEnded) }),
      ("task for a stream", { scope.task(for: bus.events, line: 11) { _ in } }),
      (
        "connection",
        { try! bus.connect(TestSource("source", trace: trace), in: scope, line: 11) }
      ),
      ("ending at an event", { scope.end(at: .systemDidWake, of: bus, line: 11) }),
      ("ending at a phase", { scope.end(when: .atMost(.inactive), of: bus, line: 11) }),
    ]
    for (name, addition) in additions {
      let issues = reportedIssues(addition)
      expectNoDifference(issues.map(\.line), [11], name)
      #expect(
        issues.allSatisfy {
          $0.fileID == #fileID && $0.message.contains("\"screen\" has already ended")
        }
      )
    }
    bus.send(.systemDidWake)
    expectNoDifference(trace.lines, ["cancelled"])
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("What is added while a scope ends is cancelled and reported")
  func addingWhileItEnds() {
    let trace = Trace()
    let scope = LifecycleScope("screen")
    scope.onEnd { trace("first") }
    scope.onEnd { [unowned scope] in
      trace("second")
      expectReportedIssue("ended") { AnyCancellable { trace("added") }.store(in: scope) }
    }
    scope.end()
    expectNoDifference(trace.lines, ["second", "added", "first"])
  }

  @Test("Ended child scopes leave nothing in their parent")
  func childrenLeaveNothing() {
    let parent = LifecycleScope("parent")
    var children = (1...1_000).map { LifecycleScope("child \($0)", parent: parent) }
    let cores = children.map { Weak($0.core) }
    for child in children { child.end() }
    #expect(cores.allSatisfy { $0.isAlive })
    children = []
    #expect(!cores.contains { $0.isAlive })
    withExtendedLifetime(parent) {}
  }

  @Test("Live subscriptions have their scope, file, line and age", arguments: BusKind.allCases)
  func liveSubscriptions(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let scope = LifecycleScope("screen")
    bus.addObserver(in: scope, line: 21) { _ in }
    clock.sleepDevice(for: .seconds(90))
    let cancellable = bus.publisher(
      for: .systemDidWake,
      fileID: "App/Model.swift",
      line: 22
    ).sink { _ in }
    let suppressed = bus.suppressedInputs.sink { _ in }
    expectNoDifference(
      bus.diagnostics.liveSubscriptions.map { "\($0.location), \($0.age.components.seconds) s" },
      [
        "LifecycleCoreTests/G09ScopesTests.swift:21 (scope \"screen\"), 90 s",
        "App/Model.swift:22, 0 s",
        "a subscriber of a publisher, 0 s",
      ]
    )
    scope.end()
    cancellable.cancel()
    suppressed.cancel()
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  // MARK: Nested deeply

  private static let depth = 100_000

  private func nested(_ trace: Trace) -> [LifecycleScope] {
    var scopes: [LifecycleScope] = []
    for number in 0..<Self.depth {
      let scope = LifecycleScope(parent: scopes.last)
      if number % (Self.depth / 4) == 0 { scope.onEnd { trace("\(number)") } }
      scopes.append(scope)
    }
    return scopes
  }

  @Test("A hundred thousand nested scopes end with the outermost")
  func outermostEnds() {
    let trace = Trace()
    let scopes = nested(trace)
    scopes[0].end()
    #expect(scopes.allSatisfy { $0.isEnded })
    // What a scope holds of its own was inserted before its child.
    expectNoDifference(trace.lines, ["75000", "50000", "25000", "0"])
  }

  @Test("A hundred thousand nested scopes are released in any order")
  func deepScopesAreReleased() {
    for order in ["outermost first", "innermost first", "every other first"] {
      let trace = Trace()
      var scopes: [LifecycleScope?] = nested(trace)
      switch order {
      case "outermost first": for index in scopes.indices { scopes[index] = nil }
      case "innermost first": for index in scopes.indices.reversed() { scopes[index] = nil }
      default:
        for index in scopes.indices where index % 2 == 1 { scopes[index] = nil }
        for index in scopes.indices { scopes[index] = nil }
      }
      expectNoDifference(trace.lines, ["75000", "50000", "25000", "0"], order)
    }
  }

  // MARK: Closures that run at the end

  @Test("A closure that ran at the end of its scope is released")
  func afterTheEnd() {
    let trace = Trace()
    var scope: LifecycleScope? = LifecycleScope()
    let core = Weak(scope!.core)
    func add(_ canary: Canary) {
      scope!.onEnd {
        canary.sing()
        trace("ran")
      }
    }
    add(Canary { trace("released") })
    scope?.end()
    expectNoDifference(trace.take(), ["ran", "released"])
    scope = nil
    #expect(!core.isAlive)
    expectNoDifference(trace.lines, [])
  }

  @Test("A closure added to an ended scope runs at once, and is reported")
  func addedToEndedScope() {
    let trace = Trace()
    let scope = LifecycleScope("screen")
    scope.end()
    let issues = reportedIssues {
      scope.onEnd(line: 11) { trace("ended") }
      LifecycleScope("temporary").onEnd(line: 12) { trace("temporary") }
    }
    expectNoDifference(trace.lines, ["ended", "temporary"])
    expectNoDifference(
      issues,
      [
        ReportedIssue(
          """
          The scope "screen" has already ended, so the closure that was added to it ran \
          immediately. Create a new scope for each appearance.
          """,
          line: 11
        ),
        ReportedIssue(
          """
          Nothing keeps the scope "temporary" alive, so it has ended and the closure that was \
          added to it ran immediately. Store the scope in a property.
          """,
          line: 12
        ),
      ]
    )
  }
}

/// `ModelTests` test every condition from every phase.
@MainActor
@Suite("G9 Scopes: end at an event or a phase")
struct G09ScopeEndingTests {
  @Test(
    "A scope ends after its event has reached all observers, before the next",
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

  @Test(
    "A scope ends at the first move into its condition's phases, and not in the unknown phase",
    arguments: BusKind.allCases
  )
  func endsAtPhase(_ kind: BusKind) {
    let conditions: [LifecyclePhase.Condition] = [
      .atLeast(.background), .atLeast(.inactive), .atLeast(.active), .atMost(.inactive),
      .atMost(.background), .background, .atMost(.terminated),
    ]
    let counts = conditions.map { condition in
      let (bus, scope, events) = (kind.make(), LifecycleScope(), Counter())
      bus.addObserver(in: scope) { _ in events.add() }
      scope.end(when: condition, of: bus)
      for kind in [LifecycleEvent.Kind.didBecomeActive, .willTerminate] { bus.send(kind) }
      return events.count
    }
    expectNoDifference(counts, [1, 2, 3, 4, 5, 5, 6])
  }

  @Test("A scope ends at once if the phase meets its condition")
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

  @Test("A scope that waits for an event or a phase ends with the bus", arguments: BusKind.allCases)
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

  @Test("A scope that is to end at an event ends although another thread sends it meanwhile")
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
