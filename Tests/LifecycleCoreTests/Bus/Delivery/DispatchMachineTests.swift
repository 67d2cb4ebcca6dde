import CustomDump
import LifecycleSupport
import TestSupport
import Testing

@testable import LifecycleCore

@Suite("Dispatch machine")
struct DispatchMachineTests {
  @Test("What a step captured is released by the thread that performs it, outside the lock")
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

  @Test("Endless registrations delay an event by a limit, and the later ones start after it")
  func rowsWithoutEnd() {
    let core = NonisolatedLifecycleBus().core
    var machine = DispatchMachine()
    machine.accept(.init(kind: .systemDidWake, origin: .manual, instant: core.clock.now))
    let delivers = machine.startDelivering()
    #expect(delivers)
    var startedCount = 0
    for _ in 0...DispatchMachine.patience * 2 {
      let row = ObserverRow(core: core, kinds: .all, site: nil)
      _ = machine.add(row, catchUp: .path)
      guard case .step(let step?) = machine.advance() else { break }
      switch step {
      case .start: startedCount += 1
      case .deliver(_, let recipients):
        expectNoDifference(startedCount, DispatchMachine.patience + 1)
        expectNoDifference(recipients.rows.count, startedCount)
        guard case .step(.start(let late, let delivered, _)?) = machine.advance() else { break }
        #expect(late === row)
        return expectNoDifference(delivered.sequenceNumber, 1)
      default: break
      }
    }
    Issue.record("The event was not delivered.")
  }

  @Test("An observer that left in the last event before a hop is released before the hop")
  func clearsBeforeHop() {
    let core = NonisolatedLifecycleBus().core
    var machine = DispatchMachine()
    machine.leavesRest = true
    let wake = PhaseMachine.Input(kind: .systemDidWake, origin: .manual, instant: core.clock.now)
    machine.accept(wake)
    let delivers = machine.startDelivering()
    #expect(delivers)
    var left: ObserverRow?
    for _ in 0...DispatchMachine.patience * 3 {
      switch machine.advance() {
      case .clear: left = nil
      case .step(.deliver?):
        let row = ObserverRow(core: core, kinds: .all, site: nil)
        _ = machine.add(row, catchUp: .nothing)
        _ = row.endLife()
        _ = machine.remove(row, clearingHere: true, at: nil)
        left = row
        // Another thread sends without end.
        _ = machine.accept(wake, isHere: false)
      case .step(.hop?): return #expect(left == nil)
      case .step: break
      }
    }
    Issue.record("There is no hop.")
  }

  /// A row that says when it is released.
  private final class TellingRow: ObserverRow, @unchecked Sendable {
    var onRelease: () -> Void = {}
    deinit { onRelease() }
  }

  @Test("A row that only its step keeps is released outside the lock")
  func rowOutlivesCriticalSectionAfterStep() {
    let bus = NonisolatedLifecycleBus()
    let core = bus.core
    let wasDelivering = Locked<Bool?>(nil)
    core.perform(inTurnOf: .unregistered(on: core, CallSite(#fileID, #filePath, 1, 1))) {
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
