import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A scope that ends at an event ends with the bus too: the event will not come.
@MainActor
@Suite("G9 Scopes: the end of the bus")
struct G09ScopeBusEndTests {
  @Test("Terminated by another event: after the streams have finished", arguments: BusKind.allCases)
  func terminatedByAnEvent(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    AnyCancellable { trace("scope ended") }.store(in: scope)
    bus.events.sink { _ in
      trace("stream finished")
    } receiveValue: { event in
      trace(event.shortLine)
    }
    .store(in: scope)
    bus.addObserver(in: scope) { trace("observer \($0.shortLine), \(scope.isEnded)") }
    scope.end(at: [.didEnterBackground, .systemDidWake], of: bus)
    bus.send(.willTerminate)
    #expect(scope.isEnded)
    expectNoDifference(
      trace.lines,
      [
        "observer 1 willTerminate, false", "1 willTerminate", "stream finished", "scope ended",
      ]
    )
  }

  @Test("Released without the event", arguments: BusKind.allCases)
  func releasedWithoutAnEvent(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let trace = Trace()
    let scopes = ["first", "second"].map { name in
      let scope = LifecycleScope(name)
      AnyCancellable { trace("\(name) ended") }.store(in: scope)
      scope.end(at: .didEnterBackground, of: bus!)
      return scope
    }
    let other = LifecycleScope("other")
    bus!.addObserver(in: other) { _ in }
    bus = nil
    expectNoDifference(trace.lines, ["first ended", "second ended"])
    #expect(scopes.allSatisfy { $0.isEnded } && !other.isEnded)
  }

  @Test("With the bus that feeds its bus", arguments: BusKind.allCases)
  func withTheParent(_ kind: BusKind) {
    var parent: (any LifecycleBusProtocol)? = kind.make()
    let child = LifecycleBus(parent: parent!)
    let scope = LifecycleScope()
    scope.end(at: .didEnterBackground, of: child)
    parent = nil
    #expect(scope.isEnded)
  }

  @Test("On a bus that has ended, at once", arguments: BusKind.allCases)
  func afterTheEnd(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.willTerminate)
    let scope = LifecycleScope()
    scope.end(at: .didEnterBackground, of: bus)
    #expect(scope.isEnded)
  }

  @Test("Several ends, one of them the bus's, are one", arguments: BusKind.allCases)
  func severalEnds(_ kind: BusKind) {
    let bus = kind.make()
    let other = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    AnyCancellable { trace("ended") }.store(in: scope)
    scope.end(at: .didEnterBackground, of: bus)
    scope.end(at: .didEnterBackground, of: other)
    bus.send(.willTerminate)
    other.send(.didEnterBackground)
    other.send(.willTerminate)
    expectNoDifference(trace.lines, ["ended"])
  }

  @Test("Ended by its event while it asks for it, on another thread, it reports nothing")
  func endedMeanwhile() async {
    for _ in 1...200 {
      let bus = NonisolatedLifecycleBus(clock: ManualClock())
      let scope = LifecycleScope()
      await awaitOtherThreads(2) { thread in
        guard thread == 0 else { return _ = bus.send(.systemDidWake) }
        scope.end(at: .systemDidWake, of: bus)
      }
      bus.send(.systemDidWake)
      #expect(scope.isEnded)
    }
  }
}
