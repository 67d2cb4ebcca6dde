import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// For each way to leave: the closure and what it captured are gone, and when.
@MainActor
@Suite("G6 Leaving: what was captured is released")
struct G06ReleaseTests {
  /// Observes with a closure that captures an object, and returns that object, held weakly.
  private func observe(
    _ bus: any LifecycleBusProtocol,
    _ form: ObserverForm,
    _ then: @escaping @Sendable () -> Void = {}
  ) -> (Registration, WeakCanary) {
    let canary = Canary()
    let registration = form.observe(bus) { _ in
      canary.sing()
      then()
    }
    return (registration, WeakCanary(canary: canary))
  }

  struct WeakCanary: Sendable {
    weak let canary: Canary?
    var isAlive: Bool { canary != nil }
  }

  @Test(
    "Cancelled outside a delivery: at once, while the token is still held",
    arguments: BusKind.allCases,
    ObserverForm.allCases
  )
  func cancelledOutside(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    let (registration, canary) = observe(bus, form)
    #expect(canary.isAlive)
    registration.cancel()
    #expect(!canary.isAlive)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test(
    "Cancelled in a delivery: before the next event, while the token is still held",
    arguments: BusKind.allCases,
    ObserverForm.allCases
  )
  func cancelledInDelivery(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox<(Registration, WeakCanary)>()
    let killer = bus.addObserver { event in
      if event.kind == .didFinishLaunching {
        box.value?.0.cancel()
      } else {
        trace("\(event.shortLine): \(box.value?.1.isAlive == true ? "alive" : "gone")")
      }
    }
    box.value = observe(bus, form)
    bus.send(.willEnterForeground)
    expectNoDifference(trace.lines, ["2 willEnterForeground: gone"])
    killer.cancel()
  }

  @Test("Cancelled from inside itself: before the next event", arguments: BusKind.allCases)
  func cancelledInsideItself(_ kind: BusKind) {
    for form in ObserverForm.ofEvents {
      let bus = kind.make()
      let trace = Trace()
      let box = UncheckedBox<(Registration, WeakCanary)>()
      box.value = observe(bus, form) { box.value?.0.cancel() }
      let witness = bus.addObserver { event in
        if event.kind == .willEnterForeground { trace("\(box.value?.1.isAlive == true)") }
      }
      expectNoDifference(box.value?.1.isAlive, true)
      bus.send(.willEnterForeground)
      expectNoDifference(trace.lines, ["false"], form.rawValue)
      witness.cancel()
    }
  }

  @Test("The object is released where the event ends, and may send", arguments: BusKind.allCases)
  func whenItIsReleased(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox<LifecycleSubscription>()
    let first = bus.addObserver { event in
      trace("A \(event.shortLine)")
      box.value?.cancel()
    }
    var canary: Canary? = Canary { [unowned bus] in
      trace("released in \(bus.phase)")
      bus.send(.systemDidWake)
    }
    box.value = bus.addObserver { [canary] _ in canary?.sing() }
    canary = nil
    let last = bus.addObserver { trace("C \($0.shortLine)") }
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "A 1 didFinishLaunching", "C 1 didFinishLaunching", "released in background",
        "A 2 willEnterForeground", "C 2 willEnterForeground",
        "A 3 systemDidWake", "C 3 systemDidWake",
      ]
    )
    first.cancel()
    last.cancel()
  }

  @Test("The scope ends: explicitly, with its parent, by release", arguments: BusKind.allCases)
  func scopeEnds(_ kind: BusKind) {
    for way in ["end", "parent", "release"] {
      let bus = kind.make()
      let parent = LifecycleScope("parent")
      var scope: LifecycleScope? = LifecycleScope("screen", parent: parent)
      let weak: WeakCanary
      var tokens: [LifecycleSubscription] = []
      do {
        let canary = Canary()
        weak = WeakCanary(canary: canary)
        tokens = [
          bus.addObserver(in: scope!) { _ in canary.sing() },
          bus.onReturn(in: scope!) { _ in canary.sing() },
          bus.onReturn(in: scope!, id: "id", capturing: { canary }) { _, _ in canary.sing() },
        ]
        bus.events.sink { _ in canary.sing() }.store(in: scope!)
        bus.addObserver { _ in canary.sing() }.store(in: scope!)
        AnyCancellable { canary.sing() }.store(in: scope!)
      }
      // The capturing observer holds one more: what it captured.
      bus.send(.didEnterBackground)
      #expect(weak.isAlive)
      switch way {
      case "end": scope?.end()
      case "parent": parent.end()
      default: scope = nil
      }
      #expect(!weak.isAlive, "\(way)")
      #expect(!tokens.contains { $0.isActive })
      #expect(bus.liveSubscriptions.isEmpty)
    }
  }

  @Test("The scope ends at an event: after it, before the next", arguments: BusKind.allCases)
  func scopeEndsAtEvent(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let weak: WeakCanary
    do {
      let canary = Canary()
      weak = WeakCanary(canary: canary)
      bus.addObserver(in: scope) { _ in canary.sing() }
    }
    scope.end(at: .willEnterForeground, of: bus)
    let witness = bus.addObserver { trace("\($0.shortLine): \(weak.isAlive)") }
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.lines,
      ["1 didFinishLaunching: true", "2 willEnterForeground: true", "3 didBecomeActive: false"]
    )
    witness.cancel()
  }

  @Test("The owner dies: silent at once, gone at its next event", arguments: BusKind.allCases)
  func ownerDies(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    var owner: Owner? = Owner()
    let weak: WeakCanary
    let token: LifecycleSubscription
    do {
      let canary = Canary()
      weak = WeakCanary(canary: canary)
      token = bus.addObserver(owner!, for: [.systemDidWake]) { _, _ in
        canary.sing()
        trace("called")
      }
    }
    bus.send(.systemDidWake)
    owner = nil
    #expect(bus.liveSubscriptions.isEmpty, "the report knows at once")
    #expect(weak.isAlive)
    bus.send(.didFinishLaunching)
    bus.send(.systemDidWake)
    #expect(!weak.isAlive)
    #expect(!token.isActive)
    #expect(bus.liveSubscriptions.isEmpty)
    expectNoDifference(trace.lines, ["called"])
  }

  @Test("The owner is not kept alive, not even in its own call", arguments: BusKind.allCases)
  func ownerIsNotKeptAlive(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox(Owner())
    bus.addObserver(box.value!) { _, event in
      box.value = nil
      trace(event.shortLine)
    }
    weak let owner = box.value
    bus.send(.willEnterForeground)
    #expect(owner == nil)
    expectNoDifference(trace.lines, ["1 didFinishLaunching"])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test(
    "The token is released",
    arguments: BusKind.allCases,
    [ObserverForm.token, .returningToken]
  )
  func tokenIsReleased(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    let (registration, canary) = observe(bus, form)
    registration.token = nil
    #expect(!canary.isAlive)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test(
    "The process terminates, while the token is still held",
    arguments: BusKind.allCases,
    ObserverForm.ofStreams
  )
  func processTerminatesWhileTokenIsHeld(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    let (registration, canary) = observe(bus, form)
    bus.send(.didEnterBackground)
    #expect(canary.isAlive)
    bus.send(.willTerminate)
    #expect(!canary.isAlive)
    #expect(bus.liveSubscriptions.isEmpty)
    withExtendedLifetime(registration) {}
  }

  @Test(
    "The bus is released, while the token is still held",
    arguments: BusKind.allCases,
    ObserverForm.allCases
  )
  func busReleased(_ kind: BusKind, _ form: ObserverForm) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let (registration, canary) = observe(bus!, form)
    bus = nil
    #expect(!canary.isAlive)
    withExtendedLifetime(registration) {}
  }

  @Test("Nothing of a bus is left when all is released", arguments: BusKind.allCases)
  func nothingIsLeft(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    weak let core = bus!.core
    let scope = LifecycleScope()
    for form in ObserverForm.allCases {
      // Cancelled rows stay in the table as tombstones: they must not hold it either.
      for _ in 1...3 { form.observe(bus!) { _ in }.cancel() }
    }
    bus!.addObserver(in: scope, id: "id") { _ in }
    bus!.addObserver(in: scope, id: "id") { _ in }
    bus!.suppressedInputs.sink { _ in }.store(in: scope)
    scope.end(at: .systemDidWake, of: bus!)
    bus!.send(.didBecomeActive)
    scope.end()
    #expect(core != nil)
    bus = nil
    #expect(core == nil)
  }
}
