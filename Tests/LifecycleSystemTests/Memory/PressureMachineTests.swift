import CustomDump
import Testing

@testable import LifecycleSystem

@Suite("Memory pressure: the machine")
struct PressureMachineTests {
  private let start = SuspendingClock.now

  @Test(
    "In every sequence of five reports, a rise warns at once, and others after 10 s"
  )
  func everyFiveReports() {
    let delays: [Duration] = [.milliseconds(1), .seconds(2), .seconds(11)]
    var count = 0
    func extend(
      _ machine: PressureMachine,
      _ reports: [(MemoryPressureLevel, SuspendingClock.Instant)],
      _ last: (MemoryPressureLevel, SuspendingClock.Instant)?,
      _ now: SuspendingClock.Instant
    ) {
      count += 1
      guard reports.count < 5 else { return }
      for level in MemoryPressureLevel.allCases {
        for delay in delays {
          var machine = machine
          let now = now + delay
          let reports = reports + [(level, now)]
          let warning = machine.handle(level, at: now)
          // Of a level, the kernel's last report counts.
          let current = reports.filter { now - $0.1 < PressureMachine.window }.map(\.0).max()
          let isDue =
            last.map {
              current.map { [last = $0] in $0 > last.0 } == true
                || now - $0.1 >= PressureMachine.interval
            } ?? true
          expectNoDifference(warning, isDue ? current : nil)
          extend(machine, reports, warning.map { ($0, now) } ?? last, now)
        }
      }
    }
    extend(PressureMachine(), [], nil, start)
    expectNoDifference(count, 66_430)
  }
}
