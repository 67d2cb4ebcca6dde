import CustomDump
import Foundation
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleCore

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

  @Test("A pause between readings is neither sleep nor a change of the wall clock")
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

  private func abs(_ duration: Duration) -> Duration { max(duration, .zero - duration) }

  @Test("A clock that declares only now has its continuous reading, and no boot")
  func nowAlone() {
    let manual = ManualClock()
    manual.advance(by: .seconds(3))
    let clock: any LifecycleClock = TimerlessClock(manual)
    expectNoDifference(clock.continuous, manual.continuous)
    expectNoDifference(clock.bootID, nil)
  }

  @Test(
    "The boot of the system's clock is that of the kernel",
    .enabled(if: FileManager.default.fileExists(atPath: kernelFile), "needs /proc")
  )
  func identityOfTheKernel() throws {
    let text = try String(contentsOfFile: kernelFile, encoding: .utf8)
    let expected = BootID(rawValue: text.trimmingCharacters(in: .whitespacesAndNewlines))
    expectNoDifference(SystemLifecycleClock().bootID, expected)
    let clock: any LifecycleClock = .system
    expectNoDifference(clock.bootID, expected)
    expectNoDifference(expected.rawValue.count, 36)
  }
}

private let kernelFile = "/proc/sys/kernel/random/boot_id"
