import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("A stopped process on the manual clock")
struct ManualClockStopTests {
  private let clock = ManualClock()
  private let trace = Trace()

  private var time: String {
    "\((clock.continuous - .seconds(3600)).timeSinceBoot.components.seconds)"
  }

  private func timer(_ name: String, at seconds: Int) -> LifecycleCancellable {
    clock.schedule(at: .boot + .seconds(3600 + seconds)) { [self] in trace("\(name) at \(time)") }
  }

  @Test("All three clocks go on")
  func threeClocks() {
    let start = clock.now
    clock.stopProcess(for: .seconds(5))
    expectNoDifference(clock.now.continuous - start.continuous, .seconds(5))
    expectNoDifference(clock.now.timeAwake - start.timeAwake, .seconds(5))
    expectNoDifference(clock.now.timeSince1970 - start.timeSince1970, .seconds(5))
    clock.stopProcess(for: .zero)
    expectNoDifference(clock.now.continuous - start.continuous, .seconds(5))
  }

  @Test("Timers are called late and in order, when the clock shows the end of the stop, and once")
  func timersAreCalledLateAndInOrder() {
    let timers = [
      timer("third", at: 2), timer("first", at: 1), timer("second", at: 1), timer("last", at: 6),
    ]
    clock.stopProcess(for: .seconds(5))
    expectNoDifference(trace.take(), ["first at 5", "second at 5", "third at 5"])
    clock.stopProcess(for: .zero)
    expectNoDifference(trace.take(), [])
    expectNoDifference(clock.timerCount, 1)
    clock.advance(by: .seconds(2))
    expectNoDifference(trace.lines, ["last at 6"])
    withExtendedLifetime(timers) {}
  }

  @Test("A timer that repeats itself comes once for the whole stop, and goes on from there")
  func repetitionComesOnceForAStop() {
    let current = Locked<LifecycleCancellable?>(nil)
    @Sendable func tick(at deadline: ContinuousInstant) {
      let timer = clock.schedule(at: deadline) {
        trace("tick at \(time)")
        tick(at: clock.continuous + .seconds(1))
      }
      let previous = current.withLock { current in
        defer { current = timer }
        return current
      }
      previous?.cancel()
    }
    tick(at: clock.continuous + .seconds(1))
    clock.advance(by: .seconds(2))
    clock.stopProcess(for: .seconds(10))
    clock.advance(by: .seconds(1))
    expectNoDifference(trace.lines, ["tick at 1", "tick at 2", "tick at 12", "tick at 13"])
    current.withLock { $0.take() }?.cancel()
    expectNoDifference(clock.timerCount, 0)
  }
}
