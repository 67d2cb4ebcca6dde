import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleCore

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
    "The closure of an observer cancelled outside a delivery is released at once",
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
    "The closure of an observer cancelled in a delivery is released before the next event",
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
    "The closure of an observer that cancels itself is released before the next event",
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

  @Test("Closures are released with their scope and its parent", arguments: BusKind.allCases)
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
    "An observer whose owner dies is silent, and is released at its next event",
    arguments: BusKind.allCases,
    [ObserverForm.owner, .returningOwner]
  )
  func ownerDies(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    let trace = Trace()
    var (registration, canary) = observe(bus, form) { trace("called") }
    bus.send(all: .didEnterBackground, .willEnterForeground)
    #expect(!trace.take().isEmpty)
    registration.owner = nil
    #expect(bus.diagnostics.liveSubscriptions.isEmpty, "the report knows at once")
    #expect(canary.isAlive)
    bus.send(all: .didEnterBackground, .willEnterForeground)
    #expect(!canary.isAlive)
    expectNoDifference(trace.lines, [])
  }

  @Test("An owner is not kept alive by its observer's call", arguments: BusKind.allCases)
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

  @Test(
    "Closures are released when the process terminates, while tokens are held",
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
    "Closures are released with the bus, while tokens are held",
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

  @Test("Cancelled observers and scopes do not keep the core of a bus", arguments: BusKind.allCases)
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

  @Test(
    "Registrations of each form clear away the observers of dead owners",
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

  @Test("An owner may use the bus when it is released", arguments: BusKind.allCases)
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

  @Test("Closures of dead owners are released on the main actor, whoever registers next")
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

@MainActor
@Suite("G6 Leaving")
struct G06LeavingTests {
  /// A round trip of which every form receives something, on a bus in the background.
  private func sendToEveryForm(_ bus: any LifecycleBusProtocol) {
    bus.send(all: .didBecomeActive, .didBecomeActive, .didEnterBackground, .willEnterForeground)
  }

  @Test("A cancelled observer is silent", arguments: BusKind.allCases, ObserverForm.cancellable)
  func silentFromThenOn(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    let trace = Trace()
    let registration = form.observe(bus) { trace($0) }
    bus.send(.didEnterBackground)
    sendToEveryForm(bus)
    expectNoDifference(trace.take().isEmpty, false)
    registration.cancel()
    sendToEveryForm(bus)
    bus.send(.willTerminate)
    expectNoDifference(trace.lines, [])
  }

  @Test(
    "An observer cancelled by another is silent inside the same delivery",
    arguments: BusKind.allCases,
    ObserverForm.ofEvents.filter { $0 != .owner }
  )
  func silencedByAnother(_ kind: BusKind, _ form: ObserverForm) {
    for (input, victimStandsBehind) in [
      (LifecycleEvent.Kind.willEnterForeground, true),
      (.didEnterBackground, false),
    ] {
      let bus = kind.make()
      bus.send(input == .willEnterForeground ? .didFinishLaunching : .willEnterForeground)
      let trace = Trace()
      let victim = UncheckedBox<Registration>()
      if !victimStandsBehind { victim.value = form.observe(bus) { trace($0) } }
      let killer = bus.addObserver { _ in
        trace("killer")
        victim.value?.cancel()
      }
      if victimStandsBehind { victim.value = form.observe(bus) { trace($0) } }
      bus.send(input)
      expectNoDifference(trace.lines, ["killer"])
      killer.cancel()
    }
  }

  @Test("Cancelled by many threads, an observer is released once", arguments: BusKind.allCases)
  func cancelledFromManyThreads(_ kind: BusKind) async {
    let bus = kind.make()
    let (trace, stillActive) = (Trace(), Counter())
    for round in 1...50 {
      let token = bus.addObserver { [canary = Canary { trace("\(round)") }] _ in canary.sing() }
      await awaitOtherThreads(8) { thread in
        guard thread.isMultiple(of: 2) else { return _ = token.isCancelled }
        token.cancel()
        if !token.isCancelled { stillActive.add() }
      }
    }
    expectNoDifference(stillActive.count, 0)
    expectNoDifference(trace.lines, (1...50).map(String.init))
  }

  @Test(
    "An observer ends with its token, or stays with its scope or owner",
    arguments: BusKind.allCases
  )
  func tokenReleased(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let owner = Owner()
    var token: LifecycleCancellable? = bus.addObserver { _ in trace("token") }
    bus.addObserver(in: scope) { _ in trace("scope") }
    bus.addObserver(owner) { _, _ in trace("owner") }
    bus.onReturn(in: scope) { _ in trace("return") }
    bus.send(all: .didFinishLaunching, .didEnterBackground)
    expectNoDifference(token?.isCancelled, false)
    token = nil
    bus.send(all: .willEnterForeground, .didEnterBackground)
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      [
        "token", "scope", "owner",
        "scope", "owner", "owner", "scope", "scope", "owner", "return",
      ]
    )
    withExtendedLifetime((scope, owner)) {}
  }

  @Test("A call that runs while its observer is cancelled finishes, and is the last")
  func callOnAnotherThreadFinishes() async {
    let bus = NonisolatedLifecycleBus()
    let trace = Trace()
    let isRunning = AsyncGate()
    let mayFinish = ThreadGate()
    let token = bus.addObserver { event in
      trace("begins \(event.shortLine)")
      isRunning.open()
      mayFinish.wait()
      trace("ends \(event.shortLine)")
    }
    async let sent: Void = awaitOtherThread { _ = bus.send(.didBecomeActive) }
    await isRunning.opened()
    token.cancel()
    #expect(token.isCancelled)
    trace("cancelled")
    mayFinish.open()
    await sent
    expectNoDifference(
      trace.lines,
      ["begins 1 didFinishLaunching", "cancelled", "ends 1 didFinishLaunching"]
    )
  }
}
