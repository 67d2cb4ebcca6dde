import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

/// For each way to leave: the closure and what it captured are gone, and when.
@MainActor
@Suite("G6 Leaving: what was captured is released")
struct G06ReleaseTests {
  /// Observes with a closure that captures an object, and returns that object, held weakly.
  private func observe(
    _ bus: any LifecycleBusProtocol,
    _ form: ObserverForm,
    _ then: @escaping @Sendable () -> Void = {}
  ) -> (Registration, Weak<Canary>) {
    let canary = Canary()
    let registration = form.observe(bus) { _ in
      canary.sing()
      then()
    }
    return (registration, Weak(canary))
  }

  @Test(
    "Cancelled outside a delivery: at once, while the token is still held",
    arguments: BusKind.allCases,
    ObserverForm.cancellable
  )
  func cancelledOutside(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    let (registration, canary) = observe(bus, form)
    #expect(canary.isAlive)
    registration.cancel()
    #expect(!canary.isAlive)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test(
    "Cancelled in a delivery: before the next event, while the token is still held",
    arguments: BusKind.allCases,
    ObserverForm.cancellable
  )
  func cancelledInDelivery(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox<(Registration, Weak<Canary>)>()
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

  @Test(
    "Cancelled from inside itself, twice: called for the last time, gone before the next event",
    arguments: BusKind.allCases,
    ObserverForm.ofEvents.filter { $0 != .owner }
  )
  func cancelledInsideItself(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox<(Registration, Weak<Canary>)>()
    box.value = observe(bus, form) {
      trace("called")
      box.value?.0.cancel()
      box.value?.0.cancel()
    }
    let witness = bus.addObserver { event in
      if event.kind == .willEnterForeground { trace("alive: \(box.value?.1.isAlive == true)") }
    }
    bus.send(.willEnterForeground)
    expectNoDifference(trace.lines, ["called", "alive: false"])
    witness.cancel()
  }

  @Test("The scope ends: explicitly, with its parent, by release", arguments: BusKind.allCases)
  func scopeEnds(_ kind: BusKind) {
    for way in ["end", "parent", "release"] {
      let bus = kind.make()
      let parent = LifecycleScope("parent")
      var scope: LifecycleScope? = LifecycleScope("screen", parent: parent)
      let weak: Weak<Canary>
      do {
        let canary = Canary()
        weak = Weak(canary)
        bus.addObserver(in: scope!) { _ in canary.sing() }
        bus.onReturn(in: scope!) { _ in canary.sing() }
        bus.onReturn(in: scope!, id: "id", capturing: { canary }) { _, _ in canary.sing() }
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
      #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    }
  }

  @Test(
    "The owner dies: silent at once, gone at its next event",
    arguments: BusKind.allCases,
    [ObserverForm.owner, .returningOwner]
  )
  func ownerDies(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    let trace = Trace()
    let (registration, canary) = observe(bus, form) { trace("called") }
    bus.send(all: .didEnterBackground, .willEnterForeground)
    #expect(!trace.take().isEmpty)
    registration.owner = nil
    #expect(bus.diagnostics.liveSubscriptions.isEmpty, "the report knows at once")
    #expect(canary.isAlive)
    bus.send(all: .didEnterBackground, .willEnterForeground)
    #expect(!canary.isAlive)
    expectNoDifference(trace.lines, [])
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
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("The token is released", arguments: BusKind.allCases)
  func tokenIsReleased(_ kind: BusKind) {
    let bus = kind.make()
    let (registration, canary) = observe(bus, .token)
    registration.token = nil
    #expect(!canary.isAlive)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
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
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
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

  /// The rows of dead owners do not wait for an event of their kinds: registrations clear them away.
  private func rowCount(_ bus: any LifecycleBusProtocol) -> Int {
    bus.core.read { $0.rowCount }
  }

  @Test("Owners that come and go without an event leave few rows", arguments: BusKind.allCases)
  func comeAndGo(_ kind: BusKind) {
    let bus = kind.make()
    let living = (0..<10).map { _ in Owner() }
    for owner in living { bus.addObserver(owner, for: [.willTerminate]) { _, _ in } }
    var most = 0
    for number in 0..<20_000 {
      let owner = Owner()
      let id: (any Hashable & Sendable)? = number % 2 == 0 ? "id" : nil
      bus.addObserver(owner, for: [.willTerminate], id: id) { _, _ in }
      most = max(most, rowCount(bus))
    }
    // Three times as many rows with owners as owners lived at once; as many tombstones, and 33.
    #expect(most <= 2 * 3 * 12 + 33)
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 10)
    withExtendedLifetime(living) {}
  }

  @Test(
    "Owners that died at once are cleared away by registrations of every form",
    arguments: BusKind.allCases,
    ObserverForm.allCases
  )
  func diedAtOnce(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    var owners = (0..<1_000).map { _ in Owner() }
    for (number, owner) in owners.enumerated() {
      if number.isMultiple(of: 2) {
        bus.addObserver(owner, for: [.willTerminate]) { _, _ in }
      } else {
        bus.addObserver(owner, for: .willEnterForeground) { _, _ in }
      }
    }
    owners = []
    for _ in 0..<1_000 { form.observe(bus) { _ in }.cancel() }
    #expect(rowCount(bus) <= 40)
  }

  @Test("An owner's own release may use the bus", arguments: BusKind.allCases)
  func ownersRelease(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    for _ in 1...5 {
      let owner = Canary { [unowned bus] in
        bus.addObserver { _ in }.cancel()
        trace("released")
      }
      bus.addObserver(owner, for: [.willTerminate]) { _, _ in }
    }
    expectNoDifference(trace.lines.count, 5)
    for _ in 1...5 { bus.addObserver { _ in }.cancel() }
    expectNoDifference(rowCount(bus), 0)
  }

  @Test("Registered elsewhere, a main-actor bus releases their closures on the main actor")
  func ownerRegisteredElsewhere() async {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    do {
      let owner = Owner()
      let canary = Canary { trace(MainQueue.isCurrent ? "main actor" : "elsewhere") }
      bus.addObserver(owner, for: [.willTerminate]) { _, _ in canary.sing() }
    }
    onOtherThread { bus.addObserver { _ in }.cancel() }
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["main actor"])
  }
}
