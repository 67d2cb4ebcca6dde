import LifecycleSupport
import ReactiveLifecycle

/// What those who record the bus get to know of its countdowns.
extension CountdownQueue {
  /// Notes the location where a countdown is created. Called if the bus is recorded.
  func noteCreation(of countdown: CountdownCore, _ fileID: StaticString, _ line: UInt) {
    machine.withLock { $0.log.add(ObjectIdentifier(countdown), name: "\(fileID):\(line)") }
  }

  /// Calls `body` under the lock. If the bus is recorded, notes which countdowns it changes.
  @inline(__always)
  func recording<Result: Sendable>(
    _ body: (inout CountdownQueueMachine) -> Result
  ) -> Result {
    taps.isOn ? record(body) : machine.withLock { body(&$0) }
  }

  /// Calls `body` under the lock, and notes which countdowns it changes.
  @inline(never)
  func record<Result: Sendable>(_ body: (inout CountdownQueueMachine) -> Result) -> Result {
    // No clock is read under the lock.
    let instant = bus.clock.now
    return machine.withLock { machine in
      machine.changes = []
      let result = body(&machine)
      for change in machine.changes ?? [] {
        for activity in machine.log.activities(for: change, makeID: bus.makeActivityID) {
          bus.note(activity, at: instant)
        }
      }
      machine.changes = nil
      return result
    }
  }
}
