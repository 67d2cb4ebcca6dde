import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Exit requests: buses inside others, and the main actor")
@MainActor
struct ExitRequestBusTests {
  private let trace = Trace()
  private let clock = ManualClock()

  private func observe(
    _ bus: some LifecycleBusProtocol,
    in scope: borrowing LifecycleScope,
    _ name: String
  ) {
    bus.onExitRequest(in: copy scope) { [trace] _ in
      trace(name)
      return .exit
    }
  }

  @Test("The observers of the buses that end with a bus are asked before its own")
  func childrenFirst() async throws {
    let scope = LifecycleScope()
    let application = LifecycleBus(clock: clock)
    let screens = (1...2).map { _ in LifecycleBus(parent: application) }
    let dialog = LifecycleBus(parent: screens[0])
    let service = NonisolatedLifecycleBus(clock: clock)
    let connection = try service.connect(.bus(application))
    observe(dialog, in: scope, "dialog")
    observe(screens[0], in: scope, "screen 1")
    observe(screens[1], in: scope, "screen 2")
    observe(service, in: scope, "service")
    observe(application, in: scope, "application")
    #expect(await application.requestExit().line == LifecycleExitOutcome.agreed)
    expectNoDifference(
      trace.take(),
      ["service", "screen 2", "dialog", "screen 1", "application"]
    )
    #expect(await screens[0].requestExit().line == LifecycleExitOutcome.agreed)
    expectNoDifference(trace.take(), ["dialog", "screen 1"])
    connection.cancel()
    #expect(await application.requestExit().line == LifecycleExitOutcome.agreed)
    expectNoDifference(trace.take(), ["screen 2", "dialog", "screen 1", "application"])
    withExtendedLifetime((screens, dialog)) {}
  }

  @Test("A bus that another one is a part of does not end with it, and is not asked")
  func participants() async throws {
    let scope = LifecycleScope()
    let window = LifecycleBus(clock: clock)
    let application = LifecycleBus(clock: clock)
    let connection = try application.connect(.bus(window), as: .participant("window"))
    observe(window, in: scope, "window")
    observe(application, in: scope, "application")
    _ = await window.requestExit()
    expectNoDifference(trace.take(), ["window"])
    _ = await application.requestExit()
    expectNoDifference(trace.take(), ["application"])
    connection.cancel()
  }

  @Test("A bus that is fed on two ways is asked once")
  func twoWays() async throws {
    let scope = LifecycleScope()
    let buses = (0..<4).map { _ in NonisolatedLifecycleBus(clock: clock) }
    let connections = [
      try buses[1].connect(.bus(buses[0]), as: .ceiling),
      try buses[2].connect(.bus(buses[0]), as: .ceiling),
      try buses[3].connect(.bus(buses[1]), as: .ceiling),
      try buses[3].connect(.bus(buses[2]), as: .ceiling),
    ]
    for (number, bus) in buses.enumerated() { observe(bus, in: scope, "\(number)") }
    _ = await buses[0].requestExit()
    expectNoDifference(trace.take(), ["3", "2", "1", "0"])
    for connection in connections { connection.cancel() }
  }

  @Test("Requests of a bus and of its parent at the same time ask an observer once")
  func overlapping() async {
    let application = LifecycleBus(clock: clock)
    let screen = LifecycleBus(parent: application)
    let calls = Counter()
    let (asked, answer) = (AsyncGate(), AsyncGate())
    let token = screen.onExitRequest(line: 1) { _ in
      calls.add()
      asked.open()
      await answer.opened()
      return .cancel
    }
    let ofScreen = Task { await screen.requestExit() }
    await asked.opened()
    let ofApplication = application.makeExitRequest()
    answer.open()
    #expect(await ofScreen.value.line == "cancelled by [1], no answer from []")
    #expect(await ofApplication.receive().line == "cancelled by [1], no answer from []")
    expectNoDifference(calls.count, 1)
    token.cancel()
  }

  /// Not sendable: only main-actor closures can have it.
  private final class Editor {
    var hasChanges = true

    var answer: LifecycleExitRequest.Response { hasChanges ? .cancel : .exit }
  }

  @Test("On a LifecycleBus the closures run on the main actor, with an owner that is not sendable")
  func onMainActor() async {
    let bus = LifecycleBus(clock: clock)
    let scope = LifecycleScope()
    let editor = Editor()
    let log = MainActorLog()
    let token = bus.onExitRequest { _ in
      log.add("token")
      await Task.yield()
      return editor.answer
    }
    bus.onExitRequest(in: scope) { _ in
      log.add("scope")
      await Task.yield()
      return editor.answer
    }
    bus.onExitRequest(editor) { editor, request in
      log.add("owner")
      await Task.yield()
      return editor.answer
    }
    #expect(await bus.requestExit().cancelledBy.count == 3)
    editor.hasChanges = false
    #expect(await bus.requestExit().cancelledBy.isEmpty)
    expectNoDifference(log.lines, ["owner", "scope", "token", "owner", "scope", "token"])
    token.cancel()
  }

  @Test("On a LifecycleBus, too, an id replaces an observer, and a released owner agrees")
  func sameObserverAgainOnMainActor() async {
    let bus = LifecycleBus(clock: clock)
    let scope = LifecycleScope()
    let captured = Editor()
    var owner: Editor? = Editor()
    for line in 1...3 as ClosedRange<UInt> {
      bus.onExitRequest(in: scope, id: "editor", line: line) { _ in captured.answer }
      bus.onExitRequest(owner!, id: "editor", line: 10 + line) { editor, _ in editor.answer }
    }
    #expect(await bus.requestExit().line == "cancelled by [13 3], no answer from []")
    owner = nil
    #expect(await bus.requestExit().line == "cancelled by [3], no answer from []")
    scope.end()
  }

  @Test(
    "Of a nonisolated bus, and in generic code, the closure runs off the main actor",
    arguments: BusKind.allCases
  )
  func offTheMainActor(_ kind: BusKind) async {
    func observe(_ bus: some LifecycleBusProtocol, _ trace: Trace) -> LifecycleSubscription {
      bus.onExitRequest { _ in
        trace("on the main thread: \(MainQueue.isCurrent)")
        return .exit
      }
    }
    let bus = kind.make(clock: clock)
    let token = observe(bus, trace)
    #expect(MainQueue.isCurrent)
    _ = await bus.requestExit()
    expectNoDifference(trace.lines, ["on the main thread: false"])
    token.cancel()
  }

  @Test("What a main-actor closure captured is released on the main actor")
  func releasedOnMainActor() async {
    let bus = LifecycleBus(clock: clock)
    let scope = LifecycleScope()
    let released = AsyncGate()
    let (asked, answer) = (AsyncGate(), AsyncGate())
    func register() {
      let canary = Canary {
        MainActor.assertIsolated()
        released.open()
      }
      bus.onExitRequest(in: scope) { _ in
        canary.sing()
        asked.open()
        await answer.opened()
        return .exit
      }
    }
    register()
    let request = Task { await bus.requestExit() }
    await asked.opened()
    // The call that is under way has the last reference.
    await awaitOtherThread { scope.end() }
    #expect(await request.value.line == LifecycleExitOutcome.agreed)
    answer.open()
    await released.opened()
  }

  @Test("A source asks with a deadline of the system's clock, and can stop waiting")
  func sources() async throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let source = TestSource("signals")
    let connection = try bus.connect(source)
    source.input.requestExit(until: .now + .seconds(600)) { [trace] in trace("at once: \($0)") }
    expectNoDifference(trace.take(), ["at once: exit"])
    let answer = AsyncGate()
    let asked = AsyncGate()
    let token = bus.onExitRequest(line: 1) { _ in
      asked.open()
      await answer.opened()
      return .exit
    }
    let late = await withCheckedContinuation { continuation in
      source.input.requestExit(until: .now + .milliseconds(1)) {
        continuation.resume(returning: $0)
      }
    }
    expectNoDifference(late.line, "cancelled by [], no answer from [1]")
    let stopWaiting = source.input.requestExit(until: nil) { [trace] in trace($0.line) }
    stopWaiting()
    stopWaiting()
    expectNoDifference(trace.take(), ["cancelled by [], no answer from [1]"])
    answer.open()
    token.cancel()
    connection.cancel()
  }
}
