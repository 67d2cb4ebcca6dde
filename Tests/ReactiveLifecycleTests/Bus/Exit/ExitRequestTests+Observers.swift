import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

extension ExitRequestTests {
  @Test(
    "A released token, and a cancelled one of a scope's or an owner's observer: not asked",
    arguments: BusKind.allCases
  )
  func tokens(_ kind: BusKind) async {
    let bus = kind.make()
    let scope = LifecycleScope()
    let owner = Owner()
    var released: LifecycleSubscription? = bus.onExitRequest(line: 1) { _ in .cancel }
    let ofScope = bus.onExitRequest(in: scope, line: 2) { _ in .cancel }
    let ofOwner = bus.onExitRequest(owner, line: 3) { _, _ in .cancel }
    expectNoDifference(released?.isActive, true)
    #expect(await bus.requestExit().line == "cancelled by [3 2 1], no answer from []")
    released = nil
    #expect(await bus.requestExit().line == "cancelled by [3 2], no answer from []")
    ofScope.cancel()
    #expect(await bus.requestExit().line == "cancelled by [3], no answer from []")
    ofOwner.cancel()
    #expect(await bus.requestExit().line == LifecycleExitOutcome.agreed)
    scope.end()
    withExtendedLifetime(owner) {}
  }

  @Test(
    "An observer that makes a request and awaits it waits for itself",
    arguments: BusKind.allCases
  )
  func observerWaitsForItself(_ kind: BusKind) async {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let trace = Trace()
    let hasRequested = AsyncGate()
    let token = bus.onExitRequest(line: 1) { [unowned bus] _ in
      let outcome = bus.makeExitRequest(timeout: .seconds(5))
      hasRequested.open()
      trace(await outcome.receive().line)
      return .exit
    }
    let request = Task { await bus.requestExit() }
    await hasRequested.opened()
    clock.advance(by: .seconds(5))
    #expect(await request.value.line == LifecycleExitOutcome.agreed)
    expectNoDifference(trace.lines, ["cancelled by [], no answer from [1]"])
    token.cancel()
  }
}
