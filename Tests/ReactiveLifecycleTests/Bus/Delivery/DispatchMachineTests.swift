import TestSupport
import Testing

@testable import ReactiveLifecycle

@Suite("The dispatch machine")
struct DispatchMachineTests {
  @Test("A step belongs to whoever performs it, to be released outside the lock")
  func finishedStep() {
    var machine = DispatchMachine()
    weak var weakCanary: Canary?
    do {
      let canary = Canary()
      weakCanary = canary
      machine.addCall { canary.sing() }
    }
    var step = machine.startDelivering()
    #expect(machine.isDelivering)
    let isAtRest = machine.stopDelivering()
    #expect(isAtRest)
    // With the machine's lock held, nothing has been released.
    #expect(weakCanary != nil)
    withExtendedLifetime(step) {}
    step = nil
    #expect(weakCanary == nil)
    #expect(!machine.isDelivering)
  }
}
