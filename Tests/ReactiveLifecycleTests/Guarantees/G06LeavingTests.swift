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
    ObserverForm.cancellable
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

  @Test("Cancelled from many threads at once, it is cleaned up once", arguments: BusKind.allCases)
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
    "Releasing the token cancels; without a token, an observer stays with its scope or owner",
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
