import CustomDump
import Foundation
import Testing

@testable import LifecycleTesting

@Suite("Files of snapshots")
struct SnapshotFilesTests {
  @Test(
    "A file that the system can't read",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "needs /proc")
  )
  func unreadable() {
    // Nothing is at its beginning.
    let problem = #expect(throws: SnapshotFiles.Problem.self) {
      try SnapshotFiles().read("/proc/self/mem")
    }
    expectNoDifference(problem?.reason, "Input/output error")
  }

  @Test("The reason is in the system's words, or else in those of Foundation")
  func reasons() {
    func reason(_ info: [String: Any]) -> String {
      SnapshotFiles.reason(NSError(domain: NSCocoaErrorDomain, code: 4, userInfo: info))
    }
    let cause = NSError(domain: NSPOSIXErrorDomain, code: Int(ENOSPC))
    expectNoDifference(
      [
        reason([NSUnderlyingErrorKey: cause, NSLocalizedDescriptionKey: "It failed."]),
        reason([NSLocalizedDescriptionKey: "It failed."]),
        reason([NSLocalizedDescriptionKey: "It failed"]),
      ],
      ["No space left on device", "It failed", "It failed"]
    )
  }
}
