import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("G9 Scopes")
struct G09ScopesTests {
  @Test("Ending cancels in reverse order of insertion, once", arguments: BusKind.allCases)
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
    AnyCancellable { trace("cancellable 6") }.store(in: scope)
    #expect(!scope.isEnded)
    scope.end()
    #expect(scope.isEnded && child.isEnded)
    scope.end()
    child.end()
    expectNoDifference(
      trace.lines,
      ["cancellable 6", "observer 5", "child's 4", "child's 3", "cancellable 2", "observer 1"]
    )
  }

  @Test("What left earlier is not cancelled again", arguments: BusKind.allCases)
  func whatLeftEarlier(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let token: LifecycleSubscription
    do {
      let canary = Canary { trace("observer") }
      token = bus.addObserver(in: scope) { _ in canary.sing() }
    }
    do {
      let child = LifecycleScope(parent: scope)
      AnyCancellable { trace("child") }.store(in: child)
      child.end()
    }
    token.cancel()
    expectNoDifference(trace.take(), ["child", "observer"])
    scope.end()
    expectNoDifference(trace.lines, [])
  }

  @Test("Ended by many threads at once, it cancels once")
  func endedByManyThreads() async {
    for _ in 1...50 {
      let trace = Trace()
      let scope = LifecycleScope()
      for number in 1...5 { AnyCancellable { @Sendable in trace("\(number)") }.store(in: scope) }
      await awaitOtherThreads(8) { thread in
        if thread.isMultiple(of: 2) { scope.end() } else { _ = scope.isEnded }
      }
      #expect(scope.isEnded)
      expectNoDifference(trace.lines, ["5", "4", "3", "2", "1"])
    }
  }

  @Test(
    "Adding to an ended scope cancels at once and reports the caller",
    arguments: BusKind.allCases
  )
  func addingToEndedScope(_ kind: BusKind) throws {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let scope = LifecycleScope("screen")
    scope.end()

    let additions: [(String, UInt, () -> Void)] = [
      ("observer", 11, { self.add(bus, scope, 11) { trace($0.line) } }),
      ("cancellable", 12, { AnyCancellable { trace("cancelled") }.store(in: scope, line: 12) }),
      ("token", 13, { bus.addObserver { _ in trace("called") }.store(in: scope, line: 13) }),
      ("child", 14, { #expect(LifecycleScope("child", parent: scope, line: 14).isEnded) }),
      ("ending", 15, { scope.end(at: .systemDidWake, of: bus, line: 15) }),
    ]
    for (name, line, addition) in additions {
      let issues = reportedIssues(addition)
      expectNoDifference(issues.map(\.line), [Int(line)], name)
      #expect(issues.allSatisfy { $0.fileID == #fileID && $0.message.contains("\"screen\"") })
    }
    bus.send(.systemDidWake)
    expectNoDifference(trace.lines, ["cancelled"])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  private func add(
    _ bus: any LifecycleBusProtocol,
    _ scope: LifecycleScope,
    _ line: UInt,
    _ body: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    if let bus = bus as? LifecycleBus {
      bus.addObserver(in: scope, catchUp: .path, line: line, using: body)
    } else if let bus = bus as? NonisolatedLifecycleBus {
      bus.addObserver(in: scope, catchUp: .path, line: line, using: body)
    }
  }

  @Test("Every scope form reports on an ended scope", arguments: BusKind.allCases)
  func everyFormReports(_ kind: BusKind) {
    let bus = kind.make()
    let scope = LifecycleScope("screen")
    scope.end()
    let trace = Trace()
    let canary = Canary { trace("released") }
    let issues = reportedIssues {
      bus.addObserver(in: scope, id: "id") { _ in canary.sing() }
      bus.onReturn(in: scope) { _ in canary.sing() }
      bus.onReturn(in: scope, id: "id", capturing: { canary }) { _, _ in canary.sing() }
    }
    expectNoDifference(issues.count, 3)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Adding while the scope ends is adding to an ended scope")
  func addingWhileItEnds() {
    let trace = Trace()
    let scope = LifecycleScope("screen")
    AnyCancellable { trace("first") }.store(in: scope)
    AnyCancellable { [unowned scope] in
      trace("second")
      expectReportedIssue("ended") { AnyCancellable { trace("added") }.store(in: scope) }
    }
    .store(in: scope)
    scope.end()
    expectNoDifference(trace.lines, ["second", "added", "first"])
  }

  @Test("A scope does not keep its parent alive, nor a parent its children")
  func parentsAndChildren() {
    let trace = Trace()
    var parent: LifecycleScope? = LifecycleScope("parent")
    var child: LifecycleScope? = LifecycleScope("child", parent: parent)
    let sibling = LifecycleScope("sibling", parent: parent)
    AnyCancellable { trace("child ended") }.store(in: child!)
    AnyCancellable { trace("sibling ended") }.store(in: sibling)
    AnyCancellable { trace("parent ended") }.store(in: parent!)
    weak let weakParent = parent
    weak let weakChild = child
    child = nil
    #expect(weakChild == nil)
    expectNoDifference(trace.take(), ["child ended"])
    parent = nil
    #expect(weakParent == nil)
    expectNoDifference(trace.take(), ["parent ended", "sibling ended"])
    #expect(sibling.isEnded)
  }

  @Test("Children that came and went leave nothing in the parent")
  func childrenLeaveNothing() {
    struct WeakCore { weak let core: ScopeCore? }
    let parent = LifecycleScope("parent")
    var children = (1...1_000).map { LifecycleScope("child \($0)", parent: parent) }
    let cores = children.map { WeakCore(core: $0.core) }
    for child in children { child.end() }
    #expect(cores.allSatisfy { $0.core != nil })
    children = []
    #expect(cores.allSatisfy { $0.core == nil })
    withExtendedLifetime(parent) {}
  }

  @Test("A child's end leaves the parent alone; a grandparent's end reaches the grandchild")
  func childEndsWithoutItsParent() {
    let grandparent = LifecycleScope("grandparent")
    let parent = LifecycleScope("parent", parent: grandparent)
    let child = LifecycleScope("child", parent: parent)
    let other = LifecycleScope("other", parent: parent)
    other.end()
    #expect(!parent.isEnded && !child.isEnded)
    grandparent.end()
    #expect(parent.isEnded && child.isEnded)
  }

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
    AnyCancellable { trace("ended") }.store(in: scope)
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
    "An ending asked for in a delivery waits for the next such event",
    arguments: BusKind.allCases
  )
  func endingAskedForInDelivery(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let token = bus.addObserver(for: [.systemDidWake]) { [unowned bus] event in
      trace("\(event.sequenceNumber) \(scope.isEnded)")
      if event.sequenceNumber == 1 { scope.end(at: .systemDidWake, of: bus) }
    }
    for _ in 1...3 { bus.send(.systemDidWake) }
    token.cancel()
    expectNoDifference(trace.lines, ["1 false", "2 false", "3 true"])
  }

  @Test(
    "A scope that ended otherwise has no ending left; a scope's end at two events is one",
    arguments: BusKind.allCases
  )
  func endingIsWithdrawn(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    var scope: LifecycleScope? = LifecycleScope()
    AnyCancellable { trace("ended") }.store(in: scope!)
    scope?.end(at: .systemDidWake, of: bus)
    scope?.end(at: [.systemDidWake, .systemWillSleep], of: bus)
    weak let weakScope = scope
    bus.send(.systemWillSleep)
    expectNoDifference(trace.take(), ["ended"])
    bus.send(.systemDidWake)
    scope = nil
    #expect(weakScope == nil)
    expectNoDifference(trace.lines, [])
  }

  @Test(
    "A child scope that ends at an event ends its own observers only",
    arguments: BusKind.allCases
  )
  func childEndsAtEvent(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let parent = LifecycleScope("parent")
    let child = LifecycleScope("child", parent: parent)
    bus.addObserver(in: parent) { trace("parent \($0.shortLine)") }
    bus.addObserver(in: child) { trace("child \($0.shortLine)") }
    child.end(at: .systemDidWake, of: bus)
    bus.send(all: .systemDidWake, .systemWillSleep)
    expectNoDifference(
      trace.lines,
      ["parent 1 systemDidWake", "child 1 systemDidWake", "parent 2 systemWillSleep"]
    )
    parent.end()
  }

  @Test("The report of live subscriptions: scope, file, line, age", arguments: BusKind.allCases)
  func liveSubscriptions(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let scope = LifecycleScope("screen")
    add(bus, scope, 21) { _ in }
    clock.sleepDevice(for: .seconds(90))
    let cancellable = bus.publisher(
      for: .systemDidWake,
      fileID: "App/Model.swift",
      line: 22
    ).sink { _ in }
    let suppressed = bus.suppressedInputs.sink { _ in }
    expectNoDifference(
      bus.liveSubscriptions.map { "\($0.location), \($0.age.components.seconds) s" },
      [
        "ReactiveLifecycleTests/G09ScopesTests.swift:21 (scope \"screen\"), 90 s",
        "App/Model.swift:22, 0 s",
        "a subscriber of a publisher, 0 s",
      ]
    )
    scope.end()
    cancellable.cancel()
    suppressed.cancel()
    #expect(bus.liveSubscriptions.isEmpty)
  }
}
