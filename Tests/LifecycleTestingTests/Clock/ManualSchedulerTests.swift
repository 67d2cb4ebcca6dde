import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import Testing

@testable import LifecycleTesting

@Suite("The manual clock as a scheduler of Combine")
struct ManualSchedulerTests {
  private let clock = ManualClock()
  private let trace: TimeTrace
  private var scheduler: ManualScheduler { clock.scheduler }

  init() {
    trace = TimeTrace(clock)
  }

  private func after(_ seconds: Double) -> ManualScheduler.SchedulerTimeType {
    scheduler.now.advanced(by: .seconds(seconds))
  }

  // MARK: Once

  @Test("Actions run at the next move, even by zero, in order of scheduling")
  func nextMove() {
    scheduler.schedule { [scheduler, trace] in
      trace("first")
      scheduler.schedule { trace("third") }
    }
    scheduler.schedule { [trace] in trace("second") }
    expectNoDifference(trace.take(), [])
    clock.advance(by: .zero)
    expectNoDifference(trace.take(), ["0.0 first", "0.0 second", "0.0 third"])
    clock.advance(by: .seconds(1))
    expectNoDifference(trace.take(), [])
  }

  @Test("Actions and timers come in order of deadline, then of scheduling")
  func orderOfDeadlineThenOfScheduling() {
    expectNoDifference(scheduler.minimumTolerance, 0)
    scheduler.schedule(after: after(2)) { [trace] in trace("late action") }
    let timers = [1, 2].map { seconds in
      clock.schedule(at: clock.continuous + .seconds(seconds)) { [trace] in trace("timer") }
    }
    scheduler.schedule(after: after(1), tolerance: 9) { [trace] in trace("early action") }
    scheduler.schedule(after: after(-1)) { [trace] in trace("overdue action") }
    clock.advance(by: .seconds(2))
    expectNoDifference(
      trace.take(),
      ["0.0 overdue action", "1.0 timer", "1.0 early action", "2.0 late action", "2.0 timer"]
    )
    withExtendedLifetime(timers) {}
  }

  // MARK: Again and again

  @Test("A repetition is called at its time and after each interval, until it is cancelled")
  func repetitionUntilCancelled() {
    let repetition = scheduler.schedule(after: after(1), interval: 2) { [trace] in trace("tick") }
    clock.advance(by: .seconds(5))
    expectNoDifference(trace.take(), ["1.0 tick", "3.0 tick", "5.0 tick"])
    repetition.cancel()
    expectNoDifference(clock.timerCount, 0)
    clock.advance(by: .seconds(5))
    repetition.cancel()
    expectNoDifference(trace.take(), [])
  }

  @Test("A repetition that is cancelled from inside its call is not called again, and released")
  func cancelledFromInside() {
    weak var canary: CancellableHolder?
    let repetition = Locked<LifecycleCancellable?>(nil)
    do {
      let object = CancellableHolder()
      canary = object
      let cancellable = scheduler.schedule(after: after(1), interval: 1) { [trace] in
        withExtendedLifetime(object) {}
        trace("tick")
        repetition.withLock { $0 }?.cancel()
      }
      repetition.withLock { $0 = cancellable as? LifecycleCancellable }
    }
    #expect(canary != nil)
    clock.advance(by: .seconds(3))
    expectNoDifference(trace.take(), ["1.0 tick"])
    expectNoDifference(clock.timerCount, 0)
    #expect(canary == nil)
  }

  @Test("A repetition ends when what cancels it is released, as with Combine's schedulers")
  func releasedCancellable() {
    var repetition: (any Cancellable)? = scheduler.schedule(after: after(1), interval: 1) {
      [trace] in trace("tick")
    }
    clock.advance(by: .seconds(1))
    withExtendedLifetime(repetition) {}
    repetition = nil
    clock.advance(by: .seconds(3))
    expectNoDifference(trace.take(), ["1.0 tick"])
    expectNoDifference(clock.timerCount, 0)
  }

  @Test("A late repetition is called once for all missed times, and keeps its rhythm")
  func lateRepetitionKeepsItsRhythm() {
    let repetition = scheduler.schedule(after: after(1), interval: 2) { [trace] in trace("tick") }
    clock.sleepDevice(for: .milliseconds(6500))
    clock.advance(by: .milliseconds(2500))
    expectNoDifference(trace.take(), ["6.5 tick", "7.0 tick", "9.0 tick"])
    // At 13 s sharp it is on time.
    clock.stopProcess(for: .seconds(4))
    clock.advance(by: .seconds(2))
    expectNoDifference(trace.take(), ["13.0 tick", "15.0 tick"])
    repetition.cancel()
  }

  @Test("A repetition that moves the clock is not called inside its own call")
  func movesFromInside() {
    let repetition = scheduler.schedule(after: after(1), interval: 1) { [clock, trace] in
      trace("begins")
      if clock.elapsed == .seconds(1) { clock.advance(by: .milliseconds(2500)) }
      trace("ends")
    }
    clock.advance(by: .milliseconds(1500))
    expectNoDifference(
      trace.take(),
      ["1.0 begins", "3.5 ends", "4.0 begins", "4.0 ends"]
    )
    repetition.cancel()
  }

  @Test("A repetition whose interval is not positive is called once", arguments: [0, -1])
  func intervalOfNothing(_ seconds: Int) {
    let repetition = scheduler.schedule(after: after(1), interval: .seconds(seconds)) { [trace] in
      trace("tick")
    }
    clock.advance(by: .seconds(3))
    expectNoDifference(trace.take(), ["1.0 tick"])
    expectNoDifference(clock.timerCount, 0)
    repetition.cancel()
  }

  @Test("A repetition does not survive a restart, not even one from inside its call")
  func repetitionDoesNotSurviveRestart() {
    let repetition = scheduler.schedule(after: after(1), interval: 1) { [clock, trace] in
      trace("tick")
      if clock.elapsed == .seconds(2) { clock.restartDevice(for: .seconds(60)) }
    }
    clock.advance(by: .seconds(9))
    expectNoDifference(trace.take(), ["1.0 tick", "2.0 tick"])
    expectNoDifference(clock.timerCount, 0)
    repetition.cancel()
  }

  // MARK: Lifetime

  @Test("A scheduler keeps neither its clock nor its actions alive")
  func schedulerDoesNotKeepItsClock() {
    weak var weakClock: ManualClock?
    weak var canary: CancellableHolder?
    var kept: ManualScheduler?
    do {
      let clock = ManualClock()
      weakClock = clock
      let object = CancellableHolder()
      canary = object
      let scheduler = clock.scheduler
      kept = scheduler
      // Each action holds the scheduler, and the repetition what cancels it, too.
      scheduler.schedule { withExtendedLifetime((object, scheduler)) {} }
      scheduler.schedule(after: after(1)) { withExtendedLifetime((object, scheduler)) {} }
      object.cancellable = scheduler.schedule(after: after(1), interval: 1) {
        withExtendedLifetime((object, scheduler)) {}
      }
      clock.advance(by: .milliseconds(100))
      #expect(canary != nil)
    }
    #expect(weakClock == nil)
    #expect(canary == nil)
    expectNoDifference(kept?.now.continuous, .boot + .milliseconds(3_600_100))
  }

  @Test("What is scheduled after the release of the clock is dropped at once")
  func scheduleAfterRelease() {
    weak var canary: CancellableHolder?
    do {
      let scheduler = ManualClock().scheduler
      let object = CancellableHolder()
      canary = object
      scheduler.schedule { withExtendedLifetime((object, scheduler)) {} }
      object.cancellable = scheduler.schedule(after: scheduler.now, interval: 1) {
        withExtendedLifetime((object, scheduler)) {}
      }
    }
    #expect(canary == nil)
  }

  private final class CancellableHolder: @unchecked Sendable {
    // Set once, before the clock moves.
    var cancellable: (any Cancellable)?
  }

  // MARK: Operators

  /// What an operator delivers of values that are sent every half second.
  private func delivered<Operated: Publisher<Int, Never>>(
    _ count: Int,
    through operate: (PassthroughSubject<Int, Never>) -> Operated
  ) -> [String] {
    let subject = PassthroughSubject<Int, Never>()
    let sink = operate(subject).sink { [trace] in trace("\($0)") }
    for value in 1...count {
      subject.send(value)
      clock.advance(by: .milliseconds(500))
    }
    clock.run()
    sink.cancel()
    return trace.take()
  }

  @Test("Combine's operators follow the manual clock")
  func operators() {
    expectNoDifference(
      delivered(2) { $0.delay(for: .seconds(3), scheduler: scheduler) },
      ["3.0 1", "3.5 2"]
    )
    expectNoDifference(
      delivered(3) { $0.debounce(for: .seconds(1), scheduler: scheduler) },
      ["5.5 3"]
    )
    expectNoDifference(
      delivered(5) { $0.throttle(for: .seconds(1), scheduler: scheduler, latest: true) },
      ["5.5 1", "6.5 2", "7.5 4", "8.5 5"]
    )
  }

  // MARK: Times

  @Test("Strides are seconds as literals, add up, and never overflow")
  func stridesAreSecondsAndNeverOverflow() {
    typealias Stride = ManualScheduler.SchedulerTimeType.Stride
    let limit = Stride(.seconds(Int64.max))
    expectNoDifference((1.5 as Stride).duration, .milliseconds(1500))
    expectNoDifference(Stride.milliseconds(3).duration, .milliseconds(3))
    expectNoDifference(Stride.microseconds(3).duration, .microseconds(3))
    expectNoDifference(Stride.nanoseconds(3).duration, .nanoseconds(3))
    expectNoDifference(Stride(exactly: 5), 5)
    expectNoDifference(Stride(exactly: UInt64.max), nil)
    expectNoDifference(-1.5 * 0.5 as Stride, -0.75)
    expectNoDifference(limit * -limit, -limit)
    expectNoDifference(limit + limit - limit, 0)
    expectNoDifference((-3 as Stride).magnitude, 3)
    expectNoDifference(Stride.seconds(.infinity).duration, .seconds(Int64(9e18)))
    expectNoDifference(Stride.seconds(.nan), 0)
    #expect((1 as Stride) < 2)
    expectNoDifference(after(1).distance(to: after(3)), 2)
  }
}
