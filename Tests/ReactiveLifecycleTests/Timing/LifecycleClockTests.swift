import CustomDump
import Foundation
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

@Suite("Clocks")
struct LifecycleClockTests {
  @Test("The system's continuous reading lies between two readings of now")
  func systemReadingIsTheTime() {
    let clock: any LifecycleClock = .system
    for _ in 1...100 {
      let before = clock.now
      let reading = clock.continuous
      let after = clock.now
      #expect(before.continuous <= reading && reading <= after.continuous)
    }
    // The wall clock would not do.
    #expect(abs(clock.continuous.timeSinceBoot - clock.now.timeSince1970) > .seconds(60))
  }

  @Test("Time that passes between the readings is neither sleep nor a change of the wall clock")
  func readingsOfOneMoment() {
    // The numbers of the readings before which the thread is preempted for a second.
    for (pauses, attempts) in [([], 1), ([1], 2), ([2], 2), ([3], 2), ([1, 2, 6, 10], 4)] {
      var time = Duration.zero
      var count = 0
      let now = SystemLifecycleClock.now { clock in
        if pauses.contains(count) { time += .seconds(1) }
        count += 1
        time += .microseconds(1)
        return clock == SystemLifecycleClock.continuousClock ? time : time + .seconds(1000)
      }
      expectNoDifference(count, 4 * attempts)
      let start = now.continuous.timeSinceBoot
      expectNoDifference(now.timeAwake - start, .seconds(1000) + .microseconds(1))
      expectNoDifference(now.timeSince1970 - start, .seconds(1000) + .microseconds(2))
    }
  }

  @Test("A thread that is preempted before each reading still reads the clocks")
  func readingsThatAreNeverOfOneMoment() {
    var time = Duration.zero
    let now = SystemLifecycleClock.now { _ in
      time += .seconds(1)
      return time
    }
    expectNoDifference(now.readings, [.seconds(29), .seconds(30), .seconds(31)])
    expectNoDifference(time, .seconds(32))
  }

  /// The coded form of an instant of the standard library's clocks.
  private struct CodedInstant: Decodable { let _value: Duration }

  private func reading(_ instant: some Encodable) throws -> Duration {
    try JSONDecoder().decode(CodedInstant.self, from: JSONEncoder().encode(instant))._value
  }

  @Test("The clocks of Swift show the same times as the system's clock")
  func clocksOfSwift() throws {
    let clock: any LifecycleClock = .system
    let before = clock.now
    let continuous = try reading(ContinuousClock.now)
    let suspending = try reading(SuspendingClock.now)
    let after = clock.now
    #expect(before.continuous.timeSinceBoot <= continuous)
    #expect(continuous <= after.continuous.timeSinceBoot)
    #expect(before.timeAwake <= suspending && suspending <= after.timeAwake)
  }

  @Test("No deadline of the system's timers is too far away or too long ago")
  func farDeadlines() {
    let clock: any LifecycleClock = .system
    clock.schedule(at: ContinuousInstant(timeSinceBoot: Duration(attoseconds: .max))) {
      Issue.record("A timer was called.")
    }.cancel()
    clock.schedule(at: ContinuousInstant(timeSinceBoot: Duration(attoseconds: .min))) {}.cancel()
  }

  private func abs(_ duration: Duration) -> Duration { max(duration, .zero - duration) }

  @Test("A clock that has now alone gets its continuous reading from there")
  func nowAlone() {
    let manual = ManualClock()
    manual.advance(by: .seconds(3))
    let clock: any LifecycleClock = TimerlessClock(manual)
    expectNoDifference(clock.continuous, manual.continuous)
  }

  @Test("A manual clock's reading moves with it, asleep or not; setting the wall clock doesn't")
  func manualClockReadingMovesWithIt() {
    let clock = ManualClock()
    let start = clock.continuous
    expectNoDifference(start, clock.now.continuous)
    clock.advance(by: .seconds(2))
    clock.sleepDevice(for: .seconds(3))
    clock.setWallClock(by: .seconds(-100))
    expectNoDifference(clock.continuous - start, .seconds(5))
  }

  /// Counts how often it is read.
  private final class Counting: LifecycleClock {
    let reads = Locked<[String]>([])
    var now: LifecycleInstant {
      reads.withLock { $0.append("now") }
      return LifecycleInstant(
        continuous: .boot + .seconds(5),
        timeAwake: .zero,
        timeSince1970: .zero
      )
    }
    var continuous: ContinuousInstant {
      reads.withLock { $0.append("continuous") }
      return .boot + .seconds(1)
    }
    func schedule(at deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void)
      -> LifecycleCancellable
    {
      LifecycleCancellable {}
    }
  }

  @MainActor
  @Test(
    "A bus reads all three for an event, and one for a registration",
    arguments: BusKind.allCases
  )
  func whatABusReads(_ kind: BusKind) {
    let clock = Counting()
    let bus = kind.make(clock: clock)
    let token = bus.addObserver { _ in }
    bus.send(.systemDidWake)
    expectNoDifference(clock.reads.withLock { $0 }, ["continuous", "now"])
    expectNoDifference(bus.liveSubscriptions.map(\.age), [.zero])
    token.cancel()
  }
}
