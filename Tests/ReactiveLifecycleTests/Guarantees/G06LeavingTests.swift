import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("G6 Leaving")
struct G06LeavingTests {
  /// A round trip that every form is told something of, on a bus in the background.
  private func tellEverybody(_ bus: any LifecycleBusProtocol) {
    bus.send(all: .didBecomeActive, .didBecomeActive, .didEnterBackground, .willEnterForeground)
  }

  @Test(
    "A cancelled observer is silent",
    arguments: BusKind.allCases,
    ObserverForm.allCases
  )
  func silentFromThenOn(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    let trace = Trace()
    let registration = form.observe(bus) { trace($0) }
    bus.send(.didEnterBackground)
    tellEverybody(bus)
    expectNoDifference(trace.take().isEmpty, false)
    registration.cancel()
    tellEverybody(bus)
    bus.send(.willTerminate)
    expectNoDifference(trace.lines, [])
  }

  @Test(
    "Another observer silences it inside the delivery under way",
    arguments: BusKind.allCases,
    ObserverForm.ofEvents
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

  @Test(
    "An observer that cancels itself has been called for the last time",
    arguments: BusKind.allCases
  )
  func cancelsItself(_ kind: BusKind) {
    for form in ObserverForm.ofEvents {
      let bus = kind.make()
      let trace = Trace()
      let box = UncheckedBox<Registration>()
      box.value = form.observe(bus) {
        trace($0)
        box.value?.cancel()
      }
      bus.send(.didBecomeActive)
      expectNoDifference(trace.lines, [form.rawValue])
    }
  }

  @Test("Cancelling between two filled-in steps stops the second", arguments: BusKind.allCases)
  func cancelledBetweenSteps(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    bus.addObserver(in: scope) { [weak scope] event in
      trace(event.shortLine)
      if event.kind == .willEnterForeground { scope?.end() }
    }
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["1 didFinishLaunching", "2 willEnterForeground"])
  }

  @Test("Cancelling in the middle of a catch-up stops it", arguments: BusKind.allCases)
  func cancelledInCatchUp(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let scope = LifecycleScope()
    bus.addObserver(in: scope, catchUp: .path) { [weak scope] event in
      trace(event.line)
      scope?.end()
    }
    expectNoDifference(trace.lines, ["3 didFinishLaunching unknown→background catchUp"])
  }

  @Test("One that leaves before its catch-up is never told", arguments: BusKind.allCases)
  func leavesBeforeCatchUp(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let token = bus.addObserver(for: [.didFinishLaunching]) { [unowned bus] _ in
      bus.addObserver(catchUp: .path) { trace($0.line) }.cancel()
      bus.phases.sink { trace("\($0)") }.cancel()
    }
    bus.send(.willEnterForeground)
    expectNoDifference(trace.lines, [])
    token.cancel()
  }

  @Test(
    "Cancelling twice, and inside itself, releases the captures once",
    arguments: BusKind.allCases
  )
  func cleanUpOnce(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox<LifecycleSubscription>()
    var canary: Canary? = Canary { trace("released") }
    box.value = bus.addObserver { [canary] _ in
      canary?.sing()
      box.value?.cancel()
      box.value?.cancel()
      trace("cancelled")
    }
    canary = nil
    bus.send(.didFinishLaunching)
    box.value?.cancel()
    expectNoDifference(trace.lines, ["cancelled", "released"])
    expectNoDifference(box.value?.isActive, false)
  }

  @Test("Cancelled from many threads at once, it is cleaned up once", arguments: BusKind.allCases)
  func cancelledFromManyThreads(_ kind: BusKind) async {
    let bus = kind.make()
    let (trace, stillActive) = (Trace(), Counter())
    for round in 1...50 {
      let token = observeWithCanary(bus) { trace("\(round)") }
      await awaitOtherThreads(8) { thread in
        guard thread.isMultiple(of: 2) else { return _ = token.isActive }
        token.cancel()
        if token.isActive { stillActive.add() }
      }
    }
    expectNoDifference(stillActive.count, 0)
    expectNoDifference(trace.lines, (1...50).map(String.init))
  }

  private func observeWithCanary(
    _ bus: any LifecycleBusProtocol,
    _ onRelease: @escaping @Sendable () -> Void
  ) -> LifecycleSubscription {
    let canary = Canary(onRelease)
    return bus.addObserver { _ in canary.sing() }
  }

  @Test(
    "Releasing the token cancels; releasing a scope's or an owner's token does not",
    arguments: BusKind.allCases
  )
  func tokenReleased(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    let owner = Owner()
    var tokens = [
      bus.addObserver { _ in trace("token") },
      bus.addObserver(in: scope) { _ in trace("scope") },
      bus.addObserver(owner) { _, _ in trace("owner") },
      bus.onReturn(in: scope) { _ in trace("return") },
    ]
    bus.send(all: .didFinishLaunching, .didEnterBackground)
    #expect(!tokens.contains { !$0.isActive })
    tokens.removeAll()
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

  @Test("A call that runs on another thread may finish; there is no next")
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
    #expect(!token.isActive)
    trace("cancelled")
    mayFinish.open()
    await sent
    expectNoDifference(
      trace.lines,
      ["begins 1 didFinishLaunching", "cancelled", "ends 1 didFinishLaunching"]
    )
  }
}
