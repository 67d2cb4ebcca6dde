import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Nothing that a scope meets keeps it, and it keeps nothing once it has ended.
@MainActor
@Suite("G9 Scopes: release")
struct G09ScopeReleaseTests {
  /// What takes part: each can be dropped in any order.
  private final class Cast {
    var bus: (any LifecycleBusProtocol)?
    var parent: LifecycleScope? = LifecycleScope("parent")
    var child: LifecycleScope?
    var token: LifecycleSubscription?
    var sink: AnyCancellable?
    let weakCores: [Weak<ScopeCore>]
    let busCore: Weak<LifecycleBusCore>
    let weakScopes: [Weak<LifecycleScope>]

    init(_ kind: BusKind) {
      let bus = kind.make()
      let child = LifecycleScope("child", parent: parent)
      let scopes = [parent!, child]
      for scope in scopes {
        token = bus.addObserver(in: scope, id: "id") { _ in }
        bus.events.sink { _ in }.store(in: scope)
        scope.end(at: .systemDidWake, of: bus)
      }
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
    "Whatever is dropped first, nothing is left at last",
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

  @Test("A scope's core goes with its scope and its last token", arguments: BusKind.allCases)
  func coreGoesWithTheLastToken(_ kind: BusKind) {
    let bus = kind.make()
    var scope: LifecycleScope? = LifecycleScope("screen")
    var token: LifecycleSubscription? = bus.addObserver(in: scope!) { _ in }
    let core = Weak(scope!.core)
    scope = nil
    // The token still tells the name of its scope.
    #expect(core.isAlive && core.object?.isEnded == true)
    expectNoDifference(token?.isActive, false)
    token = nil
    #expect(!core.isAlive)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("A scope that ends at an event ends when it is dropped", arguments: BusKind.allCases)
  func droppedBeforeItsEvent(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    var scope: LifecycleScope? = LifecycleScope("screen")
    AnyCancellable { trace("ended") }.store(in: scope!)
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

  @Test(
    "Dropped in the delivery of its event, it ends once",
    arguments: BusKind.allCases
  )
  func droppedInItsEvent(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let trace = Trace()
    let box = UncheckedBox(LifecycleScope("screen"))
    AnyCancellable { trace("ended") }.store(in: box.value!)
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

  @Test(
    "A child that was dropped leaves its parent; a parent ends the child",
    arguments: [true, false]
  )
  func childThatWasDroppedLeavesItsParent(_ parentFirst: Bool) {
    let trace = Trace()
    var parent: LifecycleScope? = LifecycleScope("parent")
    var child: LifecycleScope? = LifecycleScope("child", parent: parent)
    var grandchild: LifecycleScope? = LifecycleScope("grandchild", parent: child)
    let cores = [parent!, child!, grandchild!].map { scope in
      let name = scope.name
      AnyCancellable { trace(name) }.store(in: scope)
      return Weak(scope.core)
    }
    if parentFirst { parent = nil } else { child = nil }
    expectNoDifference(cores.map { $0.object?.isEnded ?? true }, [parentFirst, true, true])
    (parent, child, grandchild) = (nil, nil, nil)
    expectNoDifference(cores.map(\.isAlive), [false, false, false])
    expectNoDifference(
      trace.lines,
      parentFirst ? ["parent", "child", "grandchild"] : ["child", "grandchild", "parent"]
    )
  }
}
