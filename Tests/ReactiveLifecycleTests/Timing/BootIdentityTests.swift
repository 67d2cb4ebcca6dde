import CustomDump
import Foundation
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("The identity of a boot")
struct BootIdentityTests {
  @Test(
    "The system's is the one that the kernel tells, each time",
    .enabled(if: FileManager.default.fileExists(atPath: kernelFile), "needs /proc")
  )
  func identityOfTheKernel() throws {
    let text = try String(contentsOfFile: kernelFile, encoding: .utf8)
    let expected = BootIdentity(rawValue: text.trimmingCharacters(in: .whitespacesAndNewlines))
    expectNoDifference(SystemLifecycleClock().boot, expected)
    let clock: any LifecycleClock = .system
    expectNoDifference(clock.boot, expected)
    #expect(expected.rawValue.count == 36)
  }

  @Test("It survives encoding as plain text")
  func codable() throws {
    let identity = BootIdentity(rawValue: "6d0b")
    let data = try JSONEncoder().encode(["boot": identity])
    expectNoDifference(String(decoding: data, as: UTF8.self), #"{"boot":"6d0b"}"#)
    let decoded = try JSONDecoder().decode([String: BootIdentity].self, from: data)
    expectNoDifference(decoded, ["boot": identity])
  }

  private struct NowAlone: LifecycleClock {
    let now = LifecycleInstant(continuous: .zero, suspending: .zero, wall: .zero)
    func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> LifecycleTimer {
      LifecycleTimer {}
    }
  }

  @Test("A clock that says nothing of it knows none")
  func unknown() {
    let clock: any LifecycleClock = NowAlone()
    expectNoDifference(clock.boot, nil)
  }

  @Test("A manual clock has the one that it was given, and by default always the same")
  func manual() {
    expectNoDifference(ManualClock().boot, ManualClock().boot)
    #expect(ManualClock().boot != nil)
    expectNoDifference(ManualClock(boot: nil).boot, nil)
    let next = BootIdentity(rawValue: "after the restart")
    expectNoDifference(ManualClock(boot: next).boot, next)
    #expect(next != ManualClock().boot)
  }
}

private let kernelFile = "/proc/sys/kernel/random/boot_id"
