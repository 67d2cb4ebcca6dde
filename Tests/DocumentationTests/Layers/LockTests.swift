import CustomDump
import Foundation
import Testing

/// Another lock would be one that the thread sanitizer does not understand.
@Suite("The lock of the sources")
struct LockTests {
  private static let names: Set = [
    "Mutex", "NSLock", "NSRecursiveLock", "NSConditionLock", "NSCondition", "OSAllocatedUnfairLock",
    "os_unfair_lock", "pthread_mutex_t", "pthread_rwlock_t", "objc_sync_enter",
  ]

  @Test("Only Locked is made from a lock")
  func onlyLockedIsMadeFromLock() throws {
    let folder = Sample.root.appending(path: "Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
    let files = try paths.filter { path in
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      return SwiftTokens.tokens(of: text).contains { Self.names.contains($0.text) }
    }
    expectNoDifference(files, ["LifecycleSupport/Locked.swift"])
  }
}
