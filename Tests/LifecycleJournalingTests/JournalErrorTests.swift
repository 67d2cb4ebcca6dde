import CustomDump
import Foundation
import ReactiveLifecycle
import Testing

@testable import LifecycleJournaling

@Suite("Journal: the texts of errors")
struct JournalErrorTests {
  typealias OpenError = LifecycleJournal.OpenError
  typealias WriteError = LifecycleJournal.WriteError

  @Test(
    "A journal that can't be opened: the reason, and what to do",
    arguments: [
      (
        .inUse(path: "state", processID: nil),
        """
        is in use by another process. Close it there, or use a separate file for each process.
        """
      ),
      (
        .notARegularFile(path: "state", .other),
        """
        can't be opened: it is not a regular file. Pass the path of a regular file or of a new one.
        """
      ),
      (
        .cannotOpen(path: "state", errno: EACCES),
        """
        can't be opened: Permission denied. Allow this user to read and write the file and its \
        directory, or choose another path.
        """
      ),
      (
        .cannotOpen(path: "state", errno: ENOENT),
        "can't be opened: No such file or directory. Create the directory . first."
      ),
      (
        .cannotOpen(path: "state", errno: EROFS),
        """
        can't be opened: Read-only file system. Choose a path on a writable file system.
        """
      ),
      (.cannotOpen(path: "state", errno: EIO), "can't be opened: Input/output error."),
    ] as [(OpenError, String)]
  )
  func opening(_ error: OpenError, _ text: String) {
    expectNoDifference(error.description, "The journal state \(text)")
  }

  @Test("The directory of a path in the root is the root")
  func directoryInRoot() {
    let error = OpenError.cannotOpen(path: "/state", errno: ENOENT)
    #expect(error.description.hasSuffix(" Create the directory / first."))
  }

  @Test(
    "What was not recorded: the reason, and the outcome for the data",
    arguments: [
      (
        .inUse(path: "state", processID: nil),
        """
        is in use by another process, which opened it while this process was not in the \
        foreground, so nothing was recorded. Use a separate file for each process.
        """
      ),
      (
        .cannotWrite(path: "state", errno: ENOSPC),
        """
        can't be written to: No space left on device. Its earlier records are kept, and it tries \
        again with the next record. Free some space.
        """
      ),
    ] as [(WriteError, String)]
  )
  func writing(_ error: WriteError, _ text: String) {
    expectNoDifference(error.description, "The journal state \(text)")
  }

  #if os(Linux)
    @Test("Something of the kernel that is of no kind of file is refused")
    func noKindOfFile() throws {
      let queue = inotify_init1(CInt(IN_CLOEXEC))
      try #require(queue >= 0)
      defer { close(queue) }
      let path = "/proc/self/fd/\(queue)"
      #expect(throws: OpenError.notARegularFile(path: path, .other)) {
        try LifecycleJournal(at: path, of: NonisolatedLifecycleBus())
      }
    }
  #endif
}
