import CustomDump
import Foundation
import LifecycleCore
import LifecycleJournaling
import TestSupport
import Testing

/// Real processes that are killed while they write a journal.
@Suite("Journal: killed processes", .serialized, .startsProcesses)
struct JournalKillTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path + "/state" }

  private func launch(_ arguments: String...) throws -> PipedChild {
    try PipedChild([try builtProgramPath("lifecycle-probe")] + arguments)
  }

  /// What the next launch may say, given what a killed process has printed: what it said to have
  /// recorded last, or what it was about to.
  private func expectations(after lines: [String], _ earlier: Set<String>) -> Set<String> {
    var recorded = earlier
    var pending: Set<String> = []
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      switch (words[0], words.count) {
      case ("before", _) where words[1] == "opened":
        // What is set stays.
        pending = Set(recorded.flatMap { Self.launching(String($0.split(separator: " ")[1])) })
      case ("before", _): pending = [Self.report(words[1], words[2])]
      case ("after", 1): (recorded, pending) = (pending, [])
      case ("after", _): (recorded, pending) = (Set(Self.launching(words[2])), [])
      default: break
      }
    }
    return recorded.union(pending)
  }

  /// What is reported of a run that has sent nothing. The launch ends after some time.
  private static func launching(_ number: String) -> [String] {
    ["killedDuringLaunch \(number)", "killedInBackground \(number)"]
  }

  private static func report(_ state: String, _ number: String) -> String {
    switch state {
    case "active", "inactive": "killedInForeground \(number)"
    case "ended": "endedProperly \(number)"
    default: "killedInBackground \(number)"
    }
  }

  @Test("A process that is killed at random moments leaves the last record, or the one under way")
  func killedWhileWriting() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    var expected: Set<String> = ["firstLaunch 0"]
    var seen: Set<String> = []
    var (run, isComplete) = (0, false)
    // A few may all be killed in one phase.
    while run < killCount(usually: 30) || !isComplete && run < 100 {
      run += 1
      let child = try launch("journal", path)
      var lines: [String] = []
      for _ in 0..<Int.random(in: 0...100, using: &random) {
        guard let line = child.nextLine() else { break }
        lines.append(line)
      }
      usleep(useconds_t.random(in: 0...1_500, using: &random))
      child.kill()
      lines += child.remainingLines()
      if let launch = lines.first(where: { $0.hasPrefix("after ") }) {
        let report = String(launch.dropFirst(6))
        seen.insert(String(report.prefix { $0 != " " }))
        #expect(expected.contains(report), "run \(run) of seed \(seed): \(expected)")
      }
      let isHeld = lines.contains { $0.hasPrefix("error") || $0.hasPrefix("damage") }
      #expect(!isHeld, "run \(run) of seed \(seed): \(lines)")
      expected = expectations(after: lines, expected)
      let names = directory.names
      #expect(names == ["state"] || names.isEmpty, "run \(run) of seed \(seed)")
      isComplete = seen.isSuperset(of: ["killedInBackground", "killedInForeground"])
    }
    #expect(isComplete)
  }

  @Test(
    "A process killed while it creates journals leaves whole ones, and all damaged bytes"
  )
  func killedWhileCreating() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let (numbers, sizes) = (0..<20, [nil, 0, 100, 8_192, 300_000])
    for round in 0..<killCount(usually: 20) {
      let comment = Comment("round \(round) of seed \(seed)")
      for name in directory.names {
        try FileManager.default.removeItem(atPath: directory.path(name))
      }
      let contents = numbers.map { number in
        sizes[number % 5].map { Data(repeating: UInt8(number + 1), count: $0) }
      }
      for (number, data) in zip(numbers, contents) {
        if let data { try data.write(to: directory.url.appending(path: "\(number)")) }
      }
      let child = try launch("journals", directory.path, "20")
      for _ in 0...Int.random(in: 0..<10, using: &random) { _ = child.nextLine() }
      usleep(useconds_t.random(in: 0...2_000, using: &random))
      child.kill()
      for (number, data) in zip(numbers, contents) {
        let file = directory.path("\(number)")
        guard let rest = FileManager.default.contents(atPath: file) else {
          #expect(data == nil, comment)
          continue
        }
        let isDamaged = data?.isEmpty == false
        let copy = FileManager.default.contents(atPath: file + ".damaged")
        #expect(copy == nil || copy == data && isDamaged, comment)
        #expect(!isDamaged || copy != nil || rest == data, comment)
        let exit = try previousRun(file).exit
        let isUntouched = exit == (isDamaged ? .unknown : .firstLaunch)
        #expect(exit.isOfLaunch || isUntouched && data != nil, comment)
      }
      let expected = numbers.flatMap { ["\($0)", "\($0).damaged", "\($0).damaged-2"] }
      #expect(directory.names.allSatisfy(expected.contains), comment)
    }
  }

  /// Of a process that is dead.
  private func previousRun(_ path: String) throws -> LifecycleJournal.PreviousRun {
    #if LIFECYCLE_TSAN
      // What the sanitizer starts to print a stack has copies of the descriptors until it runs.
      try waitUntilUnlocked(path)
    #endif
    return try LifecycleJournal(at: path, of: NonisolatedLifecycleBus()).previousRun
  }

  @Test(
    "A value is saved as a whole or not at all, killed at any moment, and once it is in background"
  )
  func savedValueWhileKilled() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    var (number, visits) = (0, 0)
    for run in 0..<killCount(usually: 20) {
      let comment = Comment("run \(run) of seed \(seed)")
      let child = try launch("saved-journal", path)
      let line = try #require(child.nextLine(), comment)
      let restored = try #require(Int(line.dropFirst("restored ".count)), comment)
      #expect(restored == number, comment)
      let isSaved = run.isMultiple(of: 3)
      if isSaved {
        expectNoDifference(child.nextLine(), "background")
      } else {
        usleep(useconds_t.random(in: 0...2_000, using: &random))
      }
      child.kill()
      let bus = NonisolatedLifecycleBus()
      let journal = try LifecycleJournal(at: path, of: bus)
      let session = LifecycleSessions(of: bus, in: journal, timeout: .seconds(1 << 20)).current
      let saved: Int? = try journal.value(forKey: "number")
      #expect(saved == restored + 1 || (saved ?? 0) == restored && !isSaved, comment)
      #expect(try journal.value(String.self, forKey: "text") == saved.map(String.init), comment)
      // A visit is recorded with the transition that begins it, and in time before its end.
      #expect((session?.visits ?? 0) >= visits + (saved ?? 0) - restored, comment)
      #expect(session.map { $0.number == 1 && $0.leftAt != nil } ?? (saved == nil), comment)
      (number, visits) = (saved ?? 0, session?.visits ?? 0)
    }
  }

  @Test("A journal that another process has is refused, and names it; killed, it is free again")
  func anotherProcess() throws {
    let child = try launch("journal", path, "--hold")
    expectNoDifference(child.nextLine(), "before opened 0")
    expectNoDifference(child.nextLine(), "after firstLaunch 0")
    #expect(throws: LifecycleJournal.OpenError.inUse(path: path, processID: child.processID)) {
      try LifecycleJournal(at: path, of: NonisolatedLifecycleBus())
    }
    child.kill()
    #expect(try previousRun(path).exit.isOfLaunch)
  }

  @Test(
    "In another time namespace, as of a restored container, the wall clock measures the time away",
    .enabled(if: TimeCapability.canUnshareTime, "time namespaces are not permitted here")
  )
  func timeNamespace() throws {
    _ = try LifecycleJournal(at: path, of: NonisolatedLifecycleBus())
    let probe = try builtProgramPath("lifecycle-probe")
    let namespace = ["unshare", "--time", "--boottime", "86400"]
    let child = try PipedChild(namespace + [probe, "journal", path, "--hold"])
    let lines = (0..<3).compactMap { _ in child.nextLine() }
    let words = try #require(lines.last).split(separator: " ")
    try #require(words.count == 3, "\(lines)")
    // The machine has not been restarted.
    #expect(lines[1].hasPrefix("after killed"))
    #expect(try #require(Int(words[1])) < 3600)
    expectNoDifference(words[2], "false")
    child.kill()
  }

  @Test(
    "A write over the limit of file sizes is reported once, and tried again with the next entry",
    arguments: [0, 15, 100]
  )
  func fileSizeLimit(_ written: Int) throws {
    let child = try launch("journal", path, "--file-size-limit", "\(4096 + written)")
    let lines = child.remainingLines()
    child.wait()
    let message = """
      The journal \(path) can't be written to: File too large. Its earlier entries are kept, and \
      it tries again with the next entry.
      """
    expectNoDifference(
      lines,
      [
        "before opened 0", "after firstLaunch 0", "failure \(message)", "sent didBecomeActive",
        "sent didEnterBackground", "thrown \(message)", "sent again", "failure \(message)",
        "sent at last",
      ]
    )
    // What was recorded when it could be.
    expectNoDifference(try previousRun(path).exit, .killedInForeground)
    expectNoDifference(directory.names, ["state"])
  }

  @Test(
    "Each way in which a process ends is reported by the next journal",
    arguments: [
      ("return", LifecycleJournal.PreviousExit.endedProperly), ("exit", .endedProperly),
      ("directory", .endedProperly),
      ("_exit", .killedInForeground), ("child", .killedInForeground),
      ("SIGSEGV", .killedInForeground), ("SIGTERM", .endedProperly),
      ("SIGSTOP", .killedInForeground), ("SIGTSTP", .killedInBackground),
      ("end", .endedProperly),
    ]
  )
  func waysToDie(_ way: String, _ exit: LifecycleJournal.PreviousExit) throws {
    let child = try launch("dying", path, way)
    expectNoDifference(child.nextLine(), "active")
    if ["SIGSTOP", "SIGTSTP"].contains(way) {
      var status: CInt = 0
      expectNoDifference(waitpid(child.processID, &status, WUNTRACED), child.processID)
      child.kill()
    } else {
      child.wait()
    }
    expectNoDifference(try previousRun(path).exit, exit)
    expectNoDifference(directory.names, ["state"])
  }

  // MARK: Full disks, and other users

  /// Runs a script in a small file system of its own, at `$1`; `$2` is the probe.
  private func onSmallDisk(_ script: String) throws -> [String] {
    let child = try PipedChild([
      "unshare", "-rm", "sh", "-c",
      "mount -t tmpfs -o size=32k tmpfs \"$1\" && cd \"$1\" && \(script)",
      "sh", directory.path, try builtProgramPath("lifecycle-probe"),
    ])
    let lines = child.remainingLines()
    child.wait()
    return lines
  }

  @Test(
    "On a full disk no journal can be created, and no file is left",
    .enabled(if: ProgramCapability.canMount, "needs unshare and mount")
  )
  func fullDisk() throws {
    expectNoDifference(
      try onSmallDisk("head -c 28k /dev/zero >full; $2 journal state; ls"),
      [
        "before opened 0",
        "error The journal state can't be opened: No space left on device. Free some space.",
        "full",
      ]
    )
  }

  @Test(
    "On a full disk an existing journal continues",
    .enabled(if: ProgramCapability.canMount, "needs unshare and mount")
  )
  func fullDiskUnderAJournal() throws {
    let lines = try onSmallDisk(
      """
      { $2 journal state --hold >launch & } && until grep -q after launch; do sleep 0.1; done; \
      kill $!; wait $! 2>&-; cat /dev/zero >full 2>&-; \
      $2 journal state | head -n 99
      """
    )
    expectNoDifference(lines.count, 99)
    #expect(Self.launching("0").map { "after \($0)" }.contains(lines.dropFirst().first))
    #expect(!lines.contains { $0.hasPrefix("failure") })
  }

  @Test(
    "A file that the user may not write is refused with the remedy",
    .enabled(
      if: ProgramCapability.canRunUnprivileged("lifecycle-probe"),
      "no program can be run as a user without rights"
    )
  )
  func noPermission() throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    chmod(path, 0o444)
    chmod(directory.path, 0o555)
    defer { chmod(directory.path, 0o755) }
    for file in [path, directory.path + "/new"] {
      let child = try PipedChild(
        ProgramCapability.unprivileged
          + [try builtProgramPath("lifecycle-probe"), "journal", file]
      )
      expectNoDifference(
        child.remainingLines().last,
        """
        error The journal \(file) can't be opened: Permission denied. Allow this user to read and \
        write the file and its directory, or choose another path.
        """
      )
      expectNoDifference(child.wait(), 1 << 8)
    }
    expectNoDifference(directory.names, ["state"])
  }
}

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

/// Waits until no process has a lock on the file.
private func waitUntilUnlocked(_ path: String) throws {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { throw UnixSocket.lastError() }
  defer { close(file) }
  while flock(file, LOCK_EX) != 0 {
    guard errno == EINTR else { throw UnixSocket.lastError() }
  }
  // A child that another thread has just forked would keep the lock until it runs its program.
  flock(file, LOCK_UN)
}

extension LifecycleJournal.PreviousExit {
  /// A Boolean value that indicates whether this can be said of a run that has sent nothing.
  fileprivate var isOfLaunch: Bool { self == .killedDuringLaunch || self == .killedInBackground }
}
