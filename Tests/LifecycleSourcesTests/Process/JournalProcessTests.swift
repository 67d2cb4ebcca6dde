import CustomDump
import Foundation
import LifecycleJournaling
import ReactiveLifecycle
import TestSupport
import Testing

/// What a journal asks of the system, and what a child process has of it.
@Suite("Journal: real processes", .startsProcesses)
struct JournalProcessTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path("0") }

  private func open() throws -> LifecycleJournal {
    try LifecycleJournal(at: path, of: NonisolatedLifecycleBus())
  }

  @Test(
    "Each write is forced to the drive before the next one",
    .enabled(if: SystemCallTrace.isPossible, "needs strace")
  )
  func writesAreForcedToTheDrive() throws {
    let probe = try builtProgramPath("lifecycle-probe")
    let calls = try SystemCallTrace.calls(
      ["pwrite64", "fdatasync"],
      of: [probe, "dying", path, "background"]
    )
    // Those of the new file and of two transitions.
    let names = calls.map { String($0.prefix { $0 != "(" }) }
    let pairs = Array(repeating: ["pwrite64", "fdatasync"], count: names.count / 2)
    expectNoDifference(names, pairs.flatMap { $0 })
    expectNoDifference(pairs.count, 3)
    #expect(calls.allSatisfy { $0.contains("<\(directory.path)/") }, "\(calls)")
  }

  @Test(
    "Killed during a copy that can't appear as a whole, it leaves a beginning, and the damaged file",
    .enabled(if: SystemCallTrace.isPossible, "needs strace")
  )
  func killedDuringCopyUnderName() throws {
    let damaged = Data(repeating: 7, count: 300_000)
    #expect(FileManager.default.createFile(atPath: path, contents: damaged))
    // The file system refuses a file without a name, and the process is killed in its third write.
    let child = try PipedChild(
      ["strace", "-f", "-o", "/dev/null", "-P", directory.path, "-P", path + ".damaged"]
        + ["-e", "inject=openat:error=EOPNOTSUPP:when=1"]
        + ["-e", "inject=pwrite64:signal=SIGKILL:when=3", "--"]
        + [try builtProgramPath("lifecycle-probe"), "dying", path, "end"]
    )
    expectNoDifference(child.remainingLines(), [])
    child.wait()
    let copy = try #require(FileManager.default.contents(atPath: path + ".damaged"))
    #expect((1..<damaged.count).contains(copy.count) && damaged.starts(with: copy))
    expectNoDifference(FileManager.default.contents(atPath: path), damaged)
    // The next launch begins another copy.
    expectNoDifference(try open().previousRun.damage?.setAside, path + ".damaged-2")
    expectNoDifference(FileManager.default.contents(atPath: path + ".damaged-2"), damaged)
  }

  @Test("A child process by fork shares the lock, until it ends")
  func forkedChildSharesTheLock() throws {
    let parent = try PipedChild(
      [try builtProgramPath("lifecycle-probe"), "forked-journal", path]
    )
    let child = try #require(pid_t(parent.nextLine() ?? ""))
    defer { kill(child, SIGKILL) }
    parent.kill()
    #expect(throws: LifecycleJournal.OpenError.inUse(path: path, processID: parent.processID)) {
      try open()
    }
    kill(child, SIGKILL)
    // It is not a child of this process: the lock shows its end.
    try waitUntilUnlocked(path)
    expectNoDifference(try open().previousRun.exit, .killedInForeground)
  }
}
