import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("Kinds that observers receive")
struct ObservedKindsTests {
  private let bus = LifecycleBus(clock: ManualClock())
  private let trace = Trace()
  private let scope = LifecycleScope()
  private let ending = LifecycleScope()
  private let owner = UnsharedOwner()

  /// Observes in each form that takes kinds; the end of a scope is traced, too.
  private func observe(_ kinds: LifecycleEvent.Kinds, catchUp: LifecycleCatchUp = .nothing) {
    bus.addObserver(for: kinds, catchUp: catchUp) { [trace] in trace("token \($0.kind)") }
      .store(in: scope)
    bus.addObserver(for: kinds, in: scope, catchUp: catchUp) { [trace] in
      trace("scope \($0.kind)")
    }
    bus.addObserver(owner, for: kinds, catchUp: catchUp) { [trace] in trace("owner \($1.kind)") }
    bus.publisher(for: kinds, catchUp: catchUp).sink { [trace] in trace("publisher \($0.kind)") }
      .store(in: scope)
    ending.onEnd { [trace] in trace("scope ended") }
    ending.end(at: kinds, of: bus)
  }

  @Test("Each form of observer receives the listed kinds alone, a custom one included")
  func listIsPassedOnToEachForm() {
    observe([.documentDidSave, .systemDidWake])
    bus.send(.didFinishLaunching)
    expectNoDifference(trace.take(), [])
    bus.send(.documentDidSave)
    expectNoDifference(
      trace.take(),
      ["token", "scope", "owner", "publisher"].map { "\($0) documentDidSave" }
        + ["scope ended"]
    )
    bus.send(all: .systemWillSleep, .systemDidWake)
    expectNoDifference(
      trace.lines,
      ["token", "scope", "owner", "publisher"].map { "\($0) systemDidWake" }
    )
  }

  @Test("Kinds beyond the 64th of the process reach the observers that list them")
  func manyKinds() {
    let kinds = (1...100).map { LifecycleEvent.Kind(rawValue: "custom \($0)") }
    let every = Trace()
    bus.addObserver(in: scope) { every($0.kind.rawValue) }
    bus.addObserver(for: [kinds[4], kinds[98]], in: scope) { [trace] in trace($0.kind.rawValue) }
    bus.addObserver(for: .systemDidWake, in: scope) { [trace] in trace($0.kind.rawValue) }
    for kind in kinds { bus.send(kind) }
    expectNoDifference(every.lines, kinds.map(\.rawValue))
    expectNoDifference(trace.lines, ["custom 5", "custom 99"])
  }
}

extension LifecycleEvent.Kind {
  fileprivate static let documentDidSave: Self = "documentDidSave"
}
