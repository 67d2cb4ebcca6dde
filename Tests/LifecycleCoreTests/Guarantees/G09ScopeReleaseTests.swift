import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// Nothing that a scope meets keeps it, and it keeps nothing once it has ended.
@MainActor
@Suite("G9 Scopes: release and members")
struct G09ScopeReleaseTests {
  /// What takes part: each can be dropped in any order.
  private final class Cast {
    var bus: (any LifecycleBusProtocol)?
    var parent: LifecycleScope? = LifecycleScope("parent")
    var child: LifecycleScope?
    var token: LifecycleCancellable?
    var sink: AnyCancellable?
    let weakCores: [Weak<ScopeCore>]
    let busCore: Weak<LifecycleBusCore>
    let weakScopes: [Weak<LifecycleScope>]

    init(_ kind: BusKind) {
      let bus = kind.make()
      let child = LifecycleScope("child", parent: parent)
      let scopes = [parent!, child]
      for scope in scopes {
        bus.addObserver(in: scope, id: "id") { _ in }
        bus.events.sink { _ in }.store(in: scope)
        scope.end(at: .systemDidWake, of: bus)
      }
      token = bus.addObserver { _ in }
      sink = bus.phases.sink { _ in }
      weakScopes = scopes.map(Weak.init)
      weakCores = scopes.map { Weak($0.core) }
      busCore = Weak(bus.core)
      self.bus = bus
      self.child = child
    }

    static let parts: [(name: String, drop: @Sendable (Cast) -> Void)] = [
      ("bus", { $0.bus = nil }),
      ("parent", { $0.parent = nil }),
      ("child", { $0.child = nil }),
      ("token", { $0.token = nil }),
      ("sink", { $0.sink = nil }),
    ]
  }

  private func permutations(_ count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return permutations(count - 1).flatMap { shorter in
      (0..<count).map { position in
        var longer = shorter
        longer.insert(count - 1, at: position)
        return longer
      }
    }
  }

  @Test(
    "Bus, scopes and tokens released in any order leave nothing in memory",
    arguments: BusKind.allCases,
    ["untouched", "sent", "ended at an event", "terminated"]
  )
  func everyOrder(_ kind: BusKind, _ history: String) {
    for order in permutations(Cast.parts.count) {
      let cast = Cast(kind)
      switch history {
      case "sent": cast.bus!.send(.didBecomeActive)
      case "ended at an event": cast.bus!.send(.systemDidWake)
      case "terminated": cast.bus!.send(.willTerminate)
      default: break
      }
      for part in order { Cast.parts[part].drop(cast) }
      let alive =
        cast.weakScopes.map(\.isAlive) + cast.weakCores.map(\.isAlive) + [cast.busCore.isAlive]
      let names = order.map { Cast.parts[$0].name }
      expectNoDifference(
        alive,
        [false, false, false, false, false],
        "dropped in the order \(names)"
      )
    }
  }

  @Test("A scope that waits for an event ends when it is released", arguments: BusKind.allCases)
  func droppedBeforeItsEvent(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    var scope: LifecycleScope? = LifecycleScope("screen")
    scope!.onEnd { trace("ended") }
    bus.addObserver(in: scope!) { trace($0.shortLine) }
    scope!.end(at: .systemDidWake, of: bus)
    let core = Weak(scope!.core)
    scope = nil
    expectNoDifference(trace.take(), ["ended"])
    // Not even until the event does the bus keep what it held.
    #expect(!core.isAlive)
    bus.send(.systemDidWake)
    expectNoDifference(trace.lines, [])
  }

  @Test("A scope released in the delivery of its event ends once", arguments: BusKind.allCases)
  func droppedInItsEvent(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let trace = Trace()
    let box = UncheckedBox(LifecycleScope("screen"))
    box.value!.onEnd { trace("ended") }
    let token = bus!.addObserver { event in
      trace(event.shortLine)
      box.value = nil
    }
    bus!.addObserver(in: box.value!) { trace("scope \($0.shortLine)") }
    box.value!.end(at: .systemDidWake, of: bus!)
    let core = Weak(box.value!.core)
    bus!.send(all: .systemDidWake, .systemDidWake)
    expectNoDifference(trace.lines, ["1 systemDidWake", "ended", "2 systemDidWake"])
    token.cancel()
    // A place in the bus's table that was given up in a delivery may still name the scope.
    bus = nil
    #expect(bus == nil && !core.isAlive)
  }

  // MARK: Members that ended elsewhere

  @Test("Members that have ended leave few entries in a scope", arguments: BusKind.allCases)
  func endedMembersLeaveFewEntries(_ kind: BusKind) throws {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let scope = LifecycleScope()
    for _ in 0..<10 { bus.addObserver { _ in }.store(in: scope) }
    var most = 0
    for _ in 0..<1_000 {
      let members = [
        bus.addObserver { _ in }, try bus.connect(TestSource()),
        clock.schedule(at: .boot + .seconds(1)) {},
      ]
      for member in members { member.store(in: scope) }
      for member in members { member.cancel() }
      // One whose bus has ended.
      kind.make().addObserver { _ in }.store(in: scope)
      most = max(most, scope.core.entryCount)
    }
    #expect(most <= 100)
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 10)
    scope.end()
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
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

  /// A clock that is released with the last handle on an observer of its bus.
  private struct MortalClock: LifecycleClock {
    let canary: Canary

    var now: LifecycleInstant { SystemLifecycleClock.system.now }

    func schedule(
      at deadline: ContinuousInstant,
      _ body: @escaping @Sendable () -> Void
    ) -> LifecycleCancellable {
      LifecycleCancellable {}
    }
  }

  @Test("What a cancelled member releases may use the scope")
  nonisolated func noLock() {
    let scope = LifecycleScope()
    let trace = Trace()
    do {
      let canary = Canary { [unowned scope] in
        AnyCancellable {}.store(in: scope)
        onOtherThread { _ = scope.isEnded }
        trace("released")
      }
      let bus = NonisolatedLifecycleBus(clock: MortalClock(canary: canary))
      let handle = bus.addObserver { _ in }
      handle.store(in: scope)
      handle.cancel()
    }
    for _ in 1...100 where trace.lines.isEmpty { AnyCancellable {}.store(in: scope) }
    expectNoDifference(trace.lines, ["released"])
    scope.end()
  }
}
