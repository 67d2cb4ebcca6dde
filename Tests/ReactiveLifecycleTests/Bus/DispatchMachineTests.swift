import Testing

@testable import ReactiveLifecycle

@Suite("The dispatch machine")
struct DispatchMachineTests {
  @Test("A step that is over is handed out, to be released outside the lock")
  func finishedStep() {
    var machine = DispatchMachine()
    weak var weakCanary: Canary?
    do {
      let canary = Canary()
      weakCanary = canary
      machine.addSignal { canary.sing() }
    }
    _ = machine.begin()
    var remains: DispatchMachine.Remains? = machine.advance()
    // With the machine's lock held, nothing has been released.
    #expect(weakCanary != nil)
    withExtendedLifetime(remains) {}
    remains = nil
    #expect(weakCanary == nil)
    #expect(machine.current == nil)
  }
}
