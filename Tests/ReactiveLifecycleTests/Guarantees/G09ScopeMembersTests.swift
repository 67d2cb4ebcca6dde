import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What was stored in a scope and has ended elsewhere doesn't wait there for the scope's end, unless
/// it is Combine's, which doesn't tell the scope.
@MainActor
@Suite("G9 Scopes: members that ended elsewhere")
struct G09ScopeMembersTests {
  @Test("Tokens that were cancelled elsewhere leave few entries", arguments: BusKind.allCases)
  func tokensThatWereCancelledElsewhereLeaveFewEntries(_ kind: BusKind) {
    let bus = kind.make()
    let scope = LifecycleScope()
    for _ in 0..<10 { bus.addObserver { _ in }.store(in: scope) }
    var most = 0
    for _ in 0..<10_000 {
      let token = bus.addObserver { _ in }
      token.store(in: scope)
      token.cancel()
      most = max(most, scope.core.entryCount)
    }
    #expect(most <= 100)
    expectNoDifference(bus.liveSubscriptions.count, 10)
    scope.end()
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Connections and timers that were cancelled elsewhere leave few entries")
  func connectionsAndTimers() throws {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let scope = LifecycleScope()
    for _ in 0..<1_000 {
      let connection = try bus.connect(TestSource("source"))
      connection.store(in: scope)
      connection.cancel()
      let timer = clock.schedule(at: .boot + .seconds(1)) {}
      timer.store(in: scope)
      timer.cancel()
    }
    #expect(scope.core.entryCount <= 100)
  }

  @Test("Tokens whose bus has ended leave few entries", arguments: BusKind.allCases)
  func tokensOfEndedBuses(_ kind: BusKind) {
    let scope = LifecycleScope()
    for _ in 0..<1_000 { kind.make().addObserver { _ in }.store(in: scope) }
    #expect(scope.core.entryCount <= 100)
  }

  @Test("Those that are left end in reverse order of insertion, children included")
  func membersEndInReverseOrder() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let trace = Trace()
    let scope = LifecycleScope()
    var children: [LifecycleScope] = []
    var expected: [String] = []
    for number in 0..<300 {
      switch number % 5 {
      case 0:
        AnyCancellable { trace("\(number)") }.store(in: scope)
        expected.append("\(number)")
      case 1:
        let child = LifecycleScope(parent: scope)
        AnyCancellable { trace("child \(number)") }.store(in: child)
        children.append(child)
        expected.append("child \(number)")
      case 2:
        let canary = Canary { trace("token \(number)") }
        bus.addObserver { _ in canary.sing() }.store(in: scope)
        expected.append("token \(number)")
      default:
        let token = bus.addObserver { _ in }
        token.store(in: scope)
        token.cancel()
      }
    }
    scope.end()
    expectNoDifference(trace.lines, expected.reversed())
  }

  @Test("The cancellable of a sink stays until the end, though its publisher has completed")
  func completedSink() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let scope = LifecycleScope()
    weak var completed: AnyCancellable?
    weak var ofEndedBus: AnyCancellable?
    do {
      let subject = PassthroughSubject<Int, Never>()
      let sinks = [subject.sink { _ in }, bus.events.sink { _ in }]
      subject.send(completion: .finished)
      for sink in sinks { sink.store(in: scope) }
      (completed, ofEndedBus) = (sinks[0], sinks[1])
    }
    bus.send(.willTerminate)
    #expect(completed != nil && ofEndedBus != nil)
    scope.end()
    #expect(completed == nil && ofEndedBus == nil)
  }

  @Test("A cancellable is cancelled on the thread that ends the scope, before end() returns")
  nonisolated func cancelledOnEndingThread() {
    let trace = Trace()
    let parent = LifecycleScope("parent")
    let child = LifecycleScope("child", parent: parent)
    let ending = Locked<ObjectIdentifier?>(nil)
    for scope in [parent, child] {
      let name = scope.name
      AnyCancellable {
        trace("\(name) on the ending thread: \(ending.withLock { $0 } == currentThread())")
      }.store(in: scope)
    }
    onOtherThread {
      ending.withLock { $0 = currentThread() }
      parent.end()
      trace("ended")
    }
    expectNoDifference(
      trace.lines,
      ["parent on the ending thread: true", "child on the ending thread: true", "ended"]
    )
  }

  /// A cancellable that a program declares.
  private struct Door: Cancellable {
    let trace: Trace

    func cancel() { trace("closed") }
  }

  @Test("A program's own cancellable is cancelled once, at the end of its scope or at once")
  func cancellableOfTheProgram() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let scope = LifecycleScope()
    let trace = Trace()
    Door(trace: trace).store(in: scope)
    for _ in 1...100 { bus.addObserver { _ in }.store(in: scope) }
    expectNoDifference(trace.take(), [])
    scope.end()
    expectNoDifference(trace.take(), ["closed"])
    expectNoDifference(reportedIssues { Door(trace: trace).store(in: scope) }.count, 1)
    expectNoDifference(trace.take(), ["closed"])
  }

  @Test("A finished member's release may use its scope")
  func noLock() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let scope = LifecycleScope()
    let trace = Trace()
    do {
      struct Name: Hashable, Sendable {
        let canary: Canary
        static func == (one: Self, other: Self) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
      }
      // An identifier is kept as long as the token.
      let other = LifecycleScope()
      let name = Name(
        canary: Canary { [unowned scope] in
          AnyCancellable {}.store(in: scope)
          onOtherThread { _ = scope.isEnded }
          trace("released")
        }
      )
      let token = bus.addObserver(in: other, id: name) { _ in }
      token.store(in: scope)
      other.end()
    }
    for _ in 1...100 where trace.lines.isEmpty { AnyCancellable {}.store(in: scope) }
    expectNoDifference(trace.lines, ["released"])
    scope.end()
  }
}
