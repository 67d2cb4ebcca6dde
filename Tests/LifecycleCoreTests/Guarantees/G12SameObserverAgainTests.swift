import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("G12 Same observer again")
struct G12SameObserverAgainTests {
  @Test("A view that appears three times is called once", arguments: BusKind.allCases)
  func threeAppearances(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    for number in 1...3 {
      bus.addObserver(in: scope, id: "save") { trace("\(number) \($0.shortLine)") }
    }
    bus.send(.didFinishLaunching)
    expectNoDifference(trace.lines, ["3 1 didFinishLaunching"])
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 1)
    scope.end()
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test(
    "The earlier observer is cancelled, and the new one added at the end",
    arguments: BusKind.allCases
  )
  func addedAtTheEnd(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    bus.addObserver(in: scope, id: 1) { _ in trace("first") }
    bus.addObserver(in: scope) { _ in trace("other") }
    bus.addObserver(in: scope, id: 1) { _ in trace("second") }
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 2)
    bus.send(.didFinishLaunching)
    expectNoDifference(trace.take(), ["other", "second"])
    bus.send(.willTerminate)
    expectNoDifference(trace.lines, ["second", "other"])
  }

  @Test("Replaced in a delivery, both observers miss its event", arguments: BusKind.allCases)
  func replacedInDelivery(_ kind: BusKind) {
    for input in [LifecycleEvent.Kind.willEnterForeground, .didEnterBackground] {
      let bus = kind.make()
      bus.send(input == .willEnterForeground ? .didFinishLaunching : .willEnterForeground)
      let trace = Trace()
      let scope = LifecycleScope()
      let replace: @Sendable (LifecycleEvent) -> Void = { [unowned bus] event in
        trace("replacing \(event.kind)")
        guard event.kind == input else { return }
        bus.addObserver(in: scope, id: "id") { trace("second \($0.kind)") }
      }
      // Behind the replacing one going up, in front of it going down.
      if input == .willEnterForeground { bus.addObserver(in: scope, using: replace) }
      bus.addObserver(in: scope, id: "id") { trace("first \($0.kind)") }
      if input == .didEnterBackground { bus.addObserver(in: scope, using: replace) }
      bus.send(input)
      bus.send(.systemDidWake)
      expectNoDifference(
        trace.lines,
        ["replacing \(input)", "replacing systemDidWake", "second systemDidWake"]
      )
      scope.end()
    }
  }

  @Test("Another id, scope, owner or bus replaces no observer", arguments: BusKind.allCases)
  func otherIdentifiersAreLeftAlone(_ kind: BusKind) {
    let buses = [kind.make(), kind.make()]
    let (scopes, owners) = ([LifecycleScope("a"), LifecycleScope("a")], [Owner(), Owner()])
    let trace = Trace()
    // Each twice: the second replaces the first.
    for round in 1...2 {
      for bus in buses {
        for scope in scopes {
          for id in ["x", "y"] { bus.addObserver(in: scope, id: id) { _ in trace("\(round)") } }
        }
        for owner in owners { bus.addObserver(owner, id: "x") { _, _ in trace("\(round)") } }
      }
    }
    for bus in buses {
      bus.send(.didFinishLaunching)
      expectNoDifference(trace.take(), Array(repeating: "2", count: 6))
    }
    for scope in scopes { scope.end() }
    withExtendedLifetime(owners) {}
  }

  @Test("Identifiers of any type are compared, not their hashes alone", arguments: BusKind.allCases)
  func identifiersOfAnyType(_ kind: BusKind) {
    struct Colliding: Hashable, Sendable {
      let value: Int
      func hash(into hasher: inout Hasher) { hasher.combine(0) }
    }
    enum Purpose: Hashable, Sendable { case save, load(Int) }
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let ids: [any Hashable & Sendable] = [
      1, "1", Colliding(value: 1), Colliding(value: 2), Purpose.save, Purpose.load(1),
      Purpose.load(2),
    ]
    for round in 1...2 {
      for (number, id) in ids.enumerated() {
        bus.addObserver(in: scope, id: id) { _ in trace("\(round).\(number)") }
      }
    }
    bus.send(.didFinishLaunching)
    expectNoDifference(trace.lines, ids.indices.map { "2.\($0)" })
    scope.end()
  }

  @Test("Each main-actor form replaces the earlier observer")
  func mainActorForms() {
    let bus = LifecycleBus(clock: ManualClock())
    let scope = LifecycleScope()
    let (owner, other) = (Owner(), UnsharedOwner())
    let log = Trace()
    for number in 1...2 {
      bus.addObserver(owner, for: .systemDidWake, id: "event") { _, _ in
        log("event, owner \(number)")
      }
      bus.addObserver(other, for: .systemDidWake, id: "event") { _, _ in
        log("event, other owner \(number)")
      }
      bus.onReturn(in: scope, id: "return") { _ in log("return, scope \(number)") }
      bus.onReturn(in: scope, id: "capture", capturing: { number }) { _, _ in
        log("return, capturing \(number)")
      }
      bus.onReturn(owner, id: "return") { _, _ in log("return, owner \(number)") }
      bus.onReturn(other, id: "return") { _, _ in log("return, other owner \(number)") }
    }
    bus.send(.systemDidWake)
    bus.send(all: .didEnterBackground, .willEnterForeground)
    expectNoDifference(
      log.lines,
      [
        "event, owner 2", "event, other owner 2", "return, scope 2", "return, capturing 2",
        "return, owner 2", "return, other owner 2",
      ]
    )
    scope.end()
    withExtendedLifetime((owner, other)) {}
  }
}
