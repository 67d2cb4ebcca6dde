import CustomDump
import LifecycleSupport
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

  /// A row that says when it is released.
  private final class TellingRow: ObserverRow, @unchecked Sendable {
    var onRelease: () -> Void = {}
    deinit { onRelease() }
  }

  @Test("A row that only its step keeps outlives the critical section after the step")
  func rowOutlivesCriticalSectionAfterStep() {
    let bus = NonisolatedLifecycleBus()
    let core = bus.core
    let wasDelivering = Locked<Bool?>(nil)
    core.perform(inTurnOf: .unregistered(on: core, CallSite(fileID: #fileID, line: 1))) {
      // Queued, since the thread is delivering.
      let row = TellingRow(core: core, kinds: [], site: nil)
      row.onRelease = {
        let isDelivering = core.read { $0.isDelivering }
        wasDelivering.exchange(isDelivering)
      }
      core.perform(inTurnOf: row) {}
    }
    expectNoDifference(wasDelivering.withLock { $0 }, false)
  }
}
