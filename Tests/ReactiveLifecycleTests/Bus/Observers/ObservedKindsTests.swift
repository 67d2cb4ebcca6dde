import CustomDump
import LifecycleCombine
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("The kinds that observers receive")
struct ObservedKindsTests {
  @Test("Kinds beyond the 64th of the process reach who wants them", arguments: BusKind.allCases)
  func manyKinds(_ kind: BusKind) {
    let bus = kind.make()
    let kinds = (1...100).map { LifecycleEvent.Kind(rawValue: "custom \($0)") }
    let (every, one, builtIn, stream) = (Trace(), Trace(), Trace(), Trace())
    let tokens = [
      bus.addObserver { every($0.kind.rawValue) },
      bus.addObserver(for: [kinds[4], kinds[98]]) { one($0.kind.rawValue) },
      bus.addObserver(for: [.systemDidWake]) { builtIn($0.kind.rawValue) },
    ]
    let cancellable = bus.events.sink { stream($0.kind.rawValue) }
    for kind in kinds { bus.send(kind) }
    let names = kinds.map(\.rawValue)
    expectNoDifference(every.lines, names)
    expectNoDifference(stream.lines, names)
    expectNoDifference(one.lines, ["custom 5", "custom 99"])
    expectNoDifference(builtIn.lines, [])
    for token in tokens { token.cancel() }
    cancellable.cancel()
  }

  /// Observes in each form that takes kinds; the scope's end and the prefix are traced, too.
  private func observe(_ bus: any LifecycleBusProtocol, _ kinds: LifecycleEvent.Kinds) -> Observed {
    let observed = Observed()
    let trace = observed.trace
    observed.keep(bus.addObserver(for: kinds) { trace("token \($0.kind)") })
    bus.addObserver(for: kinds, in: observed.scope) { trace("scope \($0.kind)") }
    bus.addObserver(observed.owner, for: kinds) { trace("owner \($1.kind)") }
    observed.keep(bus.publisher(for: kinds).sink { trace("publisher \($0.kind)") })
    observed.keep(
      PassthroughSubject<Int, Never>().prefix(until: kinds, of: bus).sink { _ in
        trace("prefix")
      } receiveValue: { _ in
      }
    )
    observed.ending.end(at: kinds, of: bus)
    return observed
  }

  /// The same on the main actor, where a `LifecycleBus` has closures of its own.
  private func observeOnMainActor(_ kinds: LifecycleEvent.Kinds) -> [String] {
    let bus = LifecycleBus()
    let observed = Observed()
    var calls: [String] = []
    observed.keep(bus.addObserver(for: kinds) { calls.append("token \($0.kind)") })
    bus.addObserver(for: kinds, in: observed.scope) { calls.append("scope \($0.kind)") }
    bus.addObserver(observed.owner, for: kinds) { calls.append("owner \($1.kind)") }
    let other = UnsharedOwner()
    bus.addObserver(other, for: kinds) { calls.append("other owner \($1.kind)") }
    bus.send(all: .documentDidSave, .didFinishLaunching, .systemDidWake)
    withExtendedLifetime((other, observed)) {}
    return calls
  }

  @Test("A list is passed on to each form", arguments: BusKind.allCases)
  func listIsPassedOnToEachForm(_ kind: BusKind) {
    let bus = kind.make()
    let observed = observe(bus, [.documentDidSave, .systemDidWake])
    bus.send(.didFinishLaunching)
    expectNoDifference(observed.take(), [])
    bus.send(.systemDidWake)
    expectNoDifference(
      observed.take(),
      [
        "token systemDidWake", "scope systemDidWake", "owner systemDidWake",
        "publisher systemDidWake", "prefix", "ended",
      ]
    )
  }

  @Test("A kind of the program's own, as a list with a name", arguments: BusKind.allCases)
  func ownKind(_ kind: BusKind) {
    let bus = kind.make()
    let observed = observe(bus, .documentDidSave)
    bus.send(all: .didFinishLaunching, .systemDidWake)
    expectNoDifference(observed.take(), [])
    bus.send(.documentDidSave)
    expectNoDifference(
      observed.take(),
      [
        "token documentDidSave", "scope documentDidSave", "owner documentDidSave",
        "publisher documentDidSave", "prefix", "ended",
      ]
    )
  }

  @Test("Closures on the main actor")
  func mainActorClosures() {
    expectNoDifference(
      observeOnMainActor(.documentDidSave),
      [
        "token documentDidSave", "scope documentDidSave", "owner documentDidSave",
        "other owner documentDidSave",
      ]
    )
  }

  @Test("Closures on the main actor, in a scope and with an owner, catch up")
  func mainActorClosuresCatchUp() {
    let bus = LifecycleBus()
    bus.send(.willEnterForeground)
    let scope = LifecycleScope()
    let (owner, other) = (Owner(), UnsharedOwner())
    var calls: [String] = []
    bus.addObserver(in: scope, catchUp: .path) { calls.append("scope \($0.kind)") }
    bus.addObserver(owner, catchUp: .path) { calls.append("owner \($1.kind)") }
    bus.addObserver(other, catchUp: .path) { calls.append("other owner \($1.kind)") }
    expectNoDifference(
      calls,
      ["scope", "owner", "other owner"].flatMap {
        ["\($0) didFinishLaunching", "\($0) willEnterForeground"]
      }
    )
    scope.end()
    withExtendedLifetime((owner, other)) {}
  }

  @Test("All: every kind, also one that is made later", arguments: BusKind.allCases)
  func allReceivesEveryKindAlsoLaterOnes(_ kind: BusKind) {
    let bus = kind.make()
    let observed = observe(bus, .all)
    let late = LifecycleEvent.Kind(rawValue: "made later on a \(kind)")
    bus.send(late)
    expectNoDifference(
      observed.take(),
      [
        "token \(late)", "scope \(late)", "owner \(late)", "publisher \(late)", "prefix", "ended",
      ]
    )
  }

  @Test("Of an empty list nothing is received, but the end", arguments: BusKind.allCases)
  func emptyList(_ kind: BusKind) {
    let bus = kind.make()
    let observed = observe(bus, [])
    bus.send(all: .didBecomeActive, .didEnterBackground, .documentDidSave)
    expectNoDifference(observed.take(), [])
    bus.send(.willTerminate)
    expectNoDifference(observed.take(), ["prefix", "ended"])
  }

  @Test("Scopes that end at listed kinds, at any kind, and at none", arguments: BusKind.allCases)
  func scopesEndAtListedKindsAnyKindAndNone(_ kind: BusKind) {
    let bus = kind.make()
    let scopes = (1...4).map { LifecycleScope("\($0)") }
    scopes[0].end(at: .systemDidWake, of: bus)
    scopes[1].end(at: [.systemDidWake, .systemWillSleep], of: bus)
    scopes[2].end(at: .all, of: bus)
    scopes[2].end()
    scopes[3].end(at: [], of: bus)
    let ended = { scopes.filter(\.isEnded).map(\.name) }
    bus.send(.significantTimeChange)
    expectNoDifference(ended(), ["3"])
    bus.send(.systemWillSleep)
    expectNoDifference(ended(), ["2", "3"])
    bus.send(.systemDidWake)
    expectNoDifference(ended(), ["1", "2", "3"])
    let late = LifecycleScope("5")
    late.end(at: .all, of: bus)
    bus.send(.documentDidSave)
    #expect(late.isEnded)
    #expect(!scopes[3].isEnded)
    bus.send(.willTerminate)
    #expect(scopes[3].isEnded)
  }
}

extension LifecycleEvent.Kind {
  fileprivate static let documentDidSave: Self = "documentDidSave"
}

extension LifecycleEvent.Kinds {
  fileprivate static let documentDidSave: Self = [.documentDidSave]
}

/// Observers, and what they traced.
private final class Observed {
  let trace = Trace()
  let scope = LifecycleScope("scope")
  let ending = LifecycleScope("ending")
  let owner = Owner()
  private var held: [any Cancellable] = []
  private var hasEnded = false

  func keep(_ cancellable: any Cancellable) { held.append(cancellable) }

  /// What came since the last call, in which the end of `ending` is the last line.
  func take() -> [String] {
    defer { hasEnded = ending.isEnded }
    return trace.take() + (ending.isEnded && !hasEnded ? ["ended"] : [])
  }
}
