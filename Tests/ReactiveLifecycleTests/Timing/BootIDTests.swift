import CustomDump
import Foundation
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("The identity of a boot")
struct BootIDTests {
  @Test(
    "The system's is the one that the kernel tells, each time",
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

  @Test("It survives encoding as plain text")
  func survivesEncodingAsPlainText() throws {
    let identity: BootID = "6d0b"
    let data = try JSONEncoder().encode(["boot": identity])
    expectNoDifference(String(decoding: data, as: UTF8.self), #"{"boot":"6d0b"}"#)
    let decoded = try JSONDecoder().decode([String: BootID].self, from: data)
    expectNoDifference(decoded, ["boot": identity])
  }

  @Test("A clock that says nothing of it knows none")
  func clockWithoutBootKnowsNone() {
    let clock: any LifecycleClock = TimerlessClock(ManualClock())
    expectNoDifference(clock.bootID, nil)
  }

  @Test("A manual clock has the one that it was given, and by default always the same")
  func manualClockHasGivenBoot() {
    expectNoDifference(ManualClock().bootID, ManualClock().bootID)
    #expect(ManualClock().bootID != nil)
    expectNoDifference(ManualClock(bootID: nil).bootID, nil)
    let next = BootID(rawValue: "after the restart")
    expectNoDifference(ManualClock(bootID: next).bootID, next)
    #expect(next != ManualClock().bootID)
  }
}

private let kernelFile = "/proc/sys/kernel/random/boot_id"
