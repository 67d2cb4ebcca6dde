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
    let delivers = machine.startDelivering()
    #expect(delivers && machine.isDelivering)
    let next = machine.advance()
    let isAtRest = machine.stopDelivering()
    #expect(isAtRest)
    // With the machine's lock held, nothing has been released.
    #expect(weakCanary != nil)
    if case .step(let step?) = consume next { _ = consume step } else { Issue.record("no step") }
    #expect(weakCanary == nil)
    #expect(!machine.isDelivering)
  }
}
