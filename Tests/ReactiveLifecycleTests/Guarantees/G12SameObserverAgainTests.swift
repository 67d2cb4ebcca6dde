import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
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
    expectNoDifference(bus.liveSubscriptions.count, 1)
    scope.end()
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test(
    "The earlier is cancelled and the registration added at the end",
    arguments: BusKind.allCases
  )
  func addedAtTheEnd(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let token = bus.addObserver(in: scope, id: 1) { _ in trace("first") }
    bus.addObserver(in: scope) { _ in trace("other") }
    let again = bus.addObserver(in: scope, id: 1) { _ in trace("second") }
    #expect(!token.isActive && again.isActive)
    bus.send(.didFinishLaunching)
    expectNoDifference(trace.take(), ["other", "second"])
    // The old token has no power over the registration.
    token.cancel()
    bus.send(.willTerminate)
    expectNoDifference(trace.lines, ["second", "other"])
  }

  @Test("Replaced in a delivery, neither gets the event in delivery", arguments: BusKind.allCases)
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

  @Test("An observer that replaces itself", arguments: BusKind.allCases)
  func replacesItself(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    bus.addObserver(in: scope, id: "id") { [unowned bus] event in
      trace("first \(event.shortLine)")
      bus.addObserver(in: scope, id: "id", catchUp: .currentPhase) { trace("second \($0.line)") }
    }
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "first 1 didFinishLaunching",
        "second 1 didFinishLaunching unknown→background catchUp",
        "second 2 willEnterForeground background→inactive manual",
      ]
    )
    scope.end()
  }

  @Test("The captures of the replaced one are released", arguments: BusKind.allCases)
  func capturesAreReleased(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let owner = Owner()
    func register(_ name: String) {
      let canary = Canary { trace(name) }
      bus.addObserver(in: scope, id: "id") { _ in canary.sing() }
      bus.addObserver(owner, id: "id") { _, _ in canary.sing() }
    }
    register("first")
    register("second")
    expectNoDifference(trace.take(), ["first"])
    scope.end()
    expectNoDifference(trace.take(), [])
    bus.addObserver(owner, id: "id") { _, _ in }
    expectNoDifference(trace.lines, ["second"])
    withExtendedLifetime(owner) {}
  }

  @Test("Another identifier, scope, owner or bus is another observer", arguments: BusKind.allCases)
  func otherIdentifiersAreLeftAlone(_ kind: BusKind) {
    let buses = [kind.make(), kind.make()]
    let scopes = [LifecycleScope("a"), LifecycleScope("a")]
    let owners = [Owner(), Owner()]
    let trace = Trace()
    for (number, bus) in buses.enumerated() {
      for _ in 1...2 {
        for (position, scope) in scopes.enumerated() {
          bus.addObserver(in: scope, id: "x") { _ in trace("bus \(number) scope \(position) x") }
          bus.addObserver(in: scope, id: "y") { _ in trace("bus \(number) scope \(position) y") }
        }
        for (position, owner) in owners.enumerated() {
          bus.addObserver(owner, id: "x") { _, _ in trace("bus \(number) owner \(position) x") }
        }
      }
    }
    for bus in buses { bus.send(.didFinishLaunching) }
    expectNoDifference(
      trace.lines,
      (0...1).flatMap { bus in
        ["scope 0 x", "scope 0 y", "scope 1 x", "scope 1 y", "owner 0 x", "owner 1 x"]
          .map { "bus \(bus) \($0)" }
      }
    )
    for scope in scopes { scope.end() }
    withExtendedLifetime(owners) {}
  }

  @Test("Without an identifier nothing is replaced", arguments: BusKind.allCases)
  func withoutIdentifier(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let owner = Owner()
    for number in 1...2 {
      bus.addObserver(in: scope) { _ in trace("scope \(number)") }
      bus.addObserver(owner) { _, _ in trace("owner \(number)") }
    }
    bus.send(.didFinishLaunching)
    expectNoDifference(trace.lines, ["scope 1", "owner 1", "scope 2", "owner 2"])
    scope.end()
    withExtendedLifetime(owner) {}
  }

  @Test("Identifiers of any type; equal hashes alone are not enough", arguments: BusKind.allCases)
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

  @Test(
    "The return forms replace, too, and whatever form had the identifier",
    arguments: BusKind.allCases
  )
  func returnForms(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    bus.addObserver(in: scope, id: "id") { _ in trace("events") }
    bus.onReturn(in: scope, id: "id") { _ in trace("return") }
    bus.send(all: .didEnterBackground, .willEnterForeground)
    expectNoDifference(trace.take(), ["return"])
    bus.onReturn(in: scope, id: "id", capturing: { 1 }) {
      trace("captured \(String(describing: $1))")
    }
    bus.send(all: .didEnterBackground, .willEnterForeground)
    expectNoDifference(trace.take(), ["captured Optional(1)"])
    scope.end()
    let owner = Owner()
    bus.addObserver(owner, id: "id") { _, _ in trace("events of the owner") }
    bus.onReturn(owner, id: "id") { _, _ in trace("return of the owner") }
    bus.send(all: .didEnterBackground, .willEnterForeground)
    expectNoDifference(trace.lines, ["return of the owner"])
    withExtendedLifetime(owner) {}
  }

  @Test("An identifier that is no longer live is free", arguments: BusKind.allCases)
  func identifierIsFree(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    bus.addObserver(in: scope, id: "id") { _ in trace("first") }.cancel()
    bus.addObserver(in: scope) { _ in trace("other") }
    let second = bus.addObserver(in: scope, id: "id") { _ in trace("second") }
    bus.send(.didFinishLaunching)
    second.cancel()
    bus.addObserver(in: scope, id: "id") { _ in trace("third") }
    bus.send(.systemDidWake)
    expectNoDifference(trace.lines, ["other", "second", "other", "third"])
    scope.end()
  }

  @Test(
    "The replacement catches up; the replaced one's catch-up is dropped",
    arguments: BusKind.allCases
  )
  func catchUp(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let token = bus.addObserver(for: [.didFinishLaunching]) { [unowned bus] _ in
      for number in 1...3 {
        bus.addObserver(in: scope, id: "id", catchUp: .path) { trace("\(number) \($0.line)") }
      }
    }
    bus.send(.didFinishLaunching)
    expectNoDifference(trace.lines, ["3 1 didFinishLaunching unknown→background catchUp"])
    token.cancel()
    scope.end()
  }
}
