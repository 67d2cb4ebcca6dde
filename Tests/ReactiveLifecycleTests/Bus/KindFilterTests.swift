import CustomDump
import LifecycleCombine
import ReactiveLifecycle
import Testing

@MainActor
@Suite("Filters by kind")
struct KindFilterTests {
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
}
