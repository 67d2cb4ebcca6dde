import CustomDump
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

extension ExitRequestTests {
  // MARK: Buses inside others

  @Test("Observers of child buses are asked before those of the bus")
  func childrenFirst() async throws {
    let screens = (1...2).map { _ in LifecycleBus(parent: bus) }
    let dialog = LifecycleBus(parent: screens[0])
    let service = NonisolatedLifecycleBus(clock: clock)
    let window = LifecycleBus(clock: clock)
    let connections = [
      try service.connect(.bus(bus)),
      // A second way, on which it is not asked again.
      try service.connect(.bus(screens[1]), as: .ceiling),
      // A part of the application does not end with it.
      try bus.connect(.bus(window), as: .participant("window")),
    ]
    observe(dialog, "dialog")
    observe(screens[0], "screen 1")
    observe(screens[1], "screen 2")
    observe(service, "service")
    observe(window, "window")
    observe(bus, "application")
    #expect(await bus.requestExit().line == LifecycleExitResult.agreed)
    expectNoDifference(
      trace.take(),
      ["service", "screen 2", "dialog", "screen 1", "application"]
    )
    #expect(await screens[0].requestExit().line == LifecycleExitResult.agreed)
    expectNoDifference(trace.take(), ["dialog", "screen 1"])
    for connection in connections { connection.cancel() }
    #expect(await bus.requestExit().line == LifecycleExitResult.agreed)
    expectNoDifference(trace.take(), ["screen 2", "dialog", "screen 1", "application"])
    withExtendedLifetime((self, screens, dialog, service, window)) {}
  }

  // MARK: Where closures run

  /// Not sendable: only main-actor closures can have it.
  private final class Editor {
    var hasChanges = true

    var answer: LifecycleExitRequest.Response { hasChanges ? .cancel : .exit }
  }

  @Test("Observers of exit requests run on the main actor only for a LifecycleBus")
  func whereClosuresRun() async {
    let editor = Editor()
    bus.onExitRequest(in: scope, line: 1) { _ in
      await Task.yield()
      MainActor.assertIsolated()
      return editor.answer
    }
    #expect(await bus.requestExit().line == "cancelled by [1], no answer from []")
    editor.hasChanges = false
    #expect(await bus.requestExit().line == LifecycleExitResult.agreed)
    let service = NonisolatedLifecycleBus(clock: clock)
    service.onExitRequest(in: scope) { _ in MainQueue.isCurrent ? .cancel : .exit }
    #expect(MainQueue.isCurrent)
    #expect(await service.requestExit().line == LifecycleExitResult.agreed)
    withExtendedLifetime((self, service)) {}
  }

  @Test("The captures of an observer of exit requests are released on the main actor")
  func releasedOnMainActor() async {
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
    let request = Task { [bus] in await bus.requestExit() }
    await asked.opened()
    // The call that is under way has the last reference.
    await awaitOtherThread { [scope] in scope.end() }
    #expect(await request.value.line == LifecycleExitResult.agreed)
    answer.open()
    await released.opened()
    withExtendedLifetime(self) {}
  }

  // MARK: Release

  private final class Sender: Sendable {
    let withdrawal = Locked<(@Sendable () -> Void)?>(nil)
  }

  @Test(
    "A sender that keeps the withdrawal of its request is released with the outcome",
    arguments: [nil, Duration.seconds(5)]
  )
  func withdrawalKeepsNoSender(timeout: Duration?) async {
    bus.onExitRequest(in: scope, line: 1) { _ in .cancel }
    let done = AsyncGate()
    func makeSender() -> Weak<Sender> {
      let sender = Sender()
      let deadline = timeout.map { clock.continuous + $0 }
      let request = LifecycleExitRequest(deadline: deadline)
      let withdraw = bus.core.requestExit(request, until: deadline) { _ in
        _ = sender
        done.open()
      }
      sender.withdrawal.exchange(withdraw)
      return Weak(sender)
    }
    let sender = makeSender()
    await done.opened()
    #expect(await eventually { !sender.isAlive })
    withExtendedLifetime(self) {}
  }
}
