import CustomDump
import Foundation
import IssueReporting
import LifecycleCore
import TestSupport
import Testing

@testable import LifecycleTesting

/// A folder of tests that is removed at the end.
private struct TestFolder {
  private let directory = TemporaryDirectory()
  var path: String { directory.path }

  /// Where the snapshot of the function `visit()` in `Tests.swift` is.
  var visit: String { "\(path)/__Snapshots__/Tests/visit.1.txt" }

  func write(_ text: String, to path: String) throws {
    try write(Data(text.utf8), to: path)
  }

  func write(_ data: Data, to path: String) throws {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try data.write(to: url)
  }

  func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  var files: [String] {
    (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []).filter {
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(path)/\($0)", isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }.sorted()
  }

  func failure(
    of text: String,
    _ mode: SnapshotRecording.Mode? = nil,
    name: String? = nil,
    file test: String = "Tests.swift",
    function: String = "visit()",
    line: UInt = 1,
    testID: String? = "this test",
    environment: [String: String] = [:]
  ) -> String? {
    var environment = environment
    if let mode { environment[SnapshotRecording.variable] = mode.rawValue }
    return FileSnapshot(
      name: name,
      filePath: "\(path)/\(test)",
      function: function,
      position: .init(line: line, column: 1),
      testID: testID,
      environment: environment
    ).failure(of: SnapshotText(text))
  }
}

@Suite("File snapshots")
struct FileSnapshotTests {
  private let folder = TestFolder()

  @Test("A snapshot that is as expected passes, and is not written")
  func expectedSnapshotPasses() throws {
    try folder.write("\r\nlaunch\r\n  [0 s] a \r\n", to: folder.visit)
    for mode in [nil, .never, .missing, .failed] as [SnapshotRecording.Mode?] {
      for environment in [[:], ["CI": "1"]] {
        let failure = folder.failure(
          of: "launch\n  [0 s] a",
          mode,
          environment: environment
        )
        #expect(failure == nil)
      }
    }
    #expect(try folder.text(folder.visit) == "\r\nlaunch\r\n  [0 s] a \r\n")
  }

  @Test("A missing snapshot fails with the transcript and how to record it; nothing is written")
  func missingSnapshotIsExplained() {
    expectNoDifference(
      folder.failure(of: "launch\n  a"),
      """
      There is no snapshot \(folder.visit).

      If the actual transcript is correct, record it:

      LIFECYCLE_SNAPSHOTS=missing swift test --filter visit

      Actual transcript:

      launch
        a
      """
    )
    expectNoDifference(folder.files, [])
  }

  @Test("The command to record a test whose name is a sentence has dots for its spaces")
  func rawIdentifier() {
    let failure = folder.failure(of: "launch", function: "a visit/to it()")
    #expect(failure?.contains("/Tests/a-visit-to-it.1.txt.\n") ?? false)
    #expect(failure?.contains(" swift test --filter a.visit.to.it\n") ?? false)
  }

  @Test("A mismatch fails with the difference and how to record it; nothing is written")
  func mismatchSaysHowToRecord() throws {
    try folder.write("launch\n  b\n", to: folder.visit)
    for mode in [nil, .never, .missing] as [SnapshotRecording.Mode?] {
      expectNoDifference(
        folder.failure(of: "launch\n  a", mode),
        """
        The transcript differs from the snapshot \(folder.visit).

        If the actual transcript is correct, record it:

        LIFECYCLE_SNAPSHOTS=failed swift test --filter visit

          \u{2007} launch
          −   b
          +   a

        (Expected: −, Actual: +)
        """
      )
    }
    #expect(try folder.text(folder.visit) == "launch\n  b\n")
  }

  @Test(
    "A test that records a snapshot fails once, and passes afterwards",
    arguments: ["missing", "failed"]
  )
  func recordsMissing(_ mode: String) throws {
    let environment = ["LIFECYCLE_SNAPSHOTS": mode]
    expectNoDifference(
      folder.failure(of: "launch\n  a", environment: environment),
      """
      There is no snapshot \(folder.visit).

      The actual transcript was recorded because the mode is .\(mode). Review the file and run the \
      test again.

      Actual transcript:

      launch
        a
      """
    )
    expectNoDifference(folder.files, ["__Snapshots__/Tests/visit.1.txt"])
    #expect(try folder.text(folder.visit) == "launch\n  a\n")
    expectNoDifference(folder.failure(of: "launch\n  a", environment: environment), nil)
    expectNoDifference(folder.failure(of: "launch\n  a"), nil)
  }

  @Test("The mode all records equal snapshots too, and fails each time")
  func recordsAll() throws {
    try folder.write("launch", to: folder.visit)
    for _ in 1...2 {
      expectNoDifference(
        folder.failure(of: "launch", .all),
        """
        The transcript matches the snapshot \(folder.visit).

        The actual transcript was recorded because the mode is .all. Review the file and run the \
        test again.
        """
      )
    }
    #expect(try folder.text(folder.visit) == "launch\n")
  }

  @Test("In CI, a test that would record fails with a message about CI")
  func continuousIntegrationMessage() throws {
    let advice = """
      The mode is .all, but nothing was recorded because CI is set in the environment. Record the \
      snapshot on another machine and commit it.
      """
    let environment = ["CI": "true"]
    expectNoDifference(
      folder.failure(of: "launch", .all, environment: environment),
      "There is no snapshot \(folder.visit).\n\n\(advice)\n\nActual transcript:\n\nlaunch"
    )
    expectNoDifference(folder.files, [])
    try folder.write("launch", to: folder.visit)
    expectNoDifference(
      folder.failure(of: "launch", .all, environment: environment),
      "The transcript matches the snapshot \(folder.visit).\n\n\(advice)"
    )
    #expect(try folder.text(folder.visit) == "launch")
  }

  @Test("An unknown mode fails with the list of modes")
  func unknownMode() {
    expectNoDifference(
      folder.failure(of: "launch", environment: ["LIFECYCLE_SNAPSHOTS": "on"]),
      """
      The environment variable LIFECYCLE_SNAPSHOTS has the unknown value "on". Set it to never, \
      missing, failed, or all.
      """
    )
  }

  @Test(
    "Snapshots of one test are numbered or named, and the same when the test is repeated"
  )
  func severalSnapshots() {
    for _ in 1...2 {
      _ = folder.failure(of: "1", .missing, line: 10)
      _ = folder.failure(of: "2", .missing, line: 20)
      for seed in 1...2 {
        _ = folder.failure(
          of: "seed \(seed)",
          .missing,
          name: "seed \(seed)",
          function: "random(seed:)",
          line: 30
        )
      }
      _ = folder.failure(of: "3", .missing, function: "other()", line: 40)
      expectNoDifference(
        folder.files.map { $0.split(separator: "/").last! },
        ["other.1.txt", "random.seed-1.txt", "random.seed-2.txt", "visit.1.txt", "visit.2.txt"]
      )
    }
    expectNoDifference(folder.failure(of: "1", line: 10), nil)
    expectNoDifference(folder.failure(of: "2", line: 20), nil)
  }

  @Test("A loop that records different snapshots without names fails")
  func roundsOfLoopNeedNames() throws {
    _ = folder.failure(of: "1", .all)
    expectNoDifference(
      folder.failure(of: "2", .all),
      """
      The snapshot needs a different name because this run has already recorded another transcript \
      in \(folder.visit). Pass .file("…") with a different name for each iteration of a loop and \
      for each test that calls this code.
      """
    )
    #expect(try folder.text(folder.visit) == "1\n")
  }

  @Test("A parameterized test that records a snapshot without a name fails")
  func needsName() {
    expectNoDifference(
      folder.failure(of: "launch", function: "visit(seed:)"),
      """
      The snapshot needs a name because visit(seed:) has parameters and may be called with \
      different arguments. Pass .file("…") with a different name for each case.
      """
    )
  }

  @Test("Two tests in one file whose functions have the same name need snapshot names")
  func sameFunctionNameTwiceInAFile() {
    _ = folder.failure(of: "launch", .missing)
    expectNoDifference(
      folder.failure(of: "launch", line: 9, testID: "another test"),
      """
      The snapshot needs a name because \(folder.path)/Tests.swift has several tests named \
      visit(). Pass .file("…") with a name, or rename one of the tests.
      """
    )
    expectNoDifference(folder.failure(of: "launch", testID: "this test"), nil)
    // Names that make the same file.
    _ = folder.failure(of: "launch", .missing, function: "a b()")
    let other = folder.failure(of: "launch", function: "a-b()", line: 9, testID: "another test")
    #expect(other?.contains("several tests named a-b()") == true, "\(other ?? "")")
  }

  @Test("Characters that file names can't have everywhere become hyphens in a snapshot's name")
  func nameIsSanitized() {
    for name in ["a/b: c", "..", ""] { _ = folder.failure(of: "launch", .all, name: name) }
    expectNoDifference(
      folder.files.map { $0.split(separator: "/").last! },
      ["visit.--.txt", "visit..txt", "visit.a-b--c.txt"]
    )
  }

  @Test("A folder in the snapshot's place, or a file that is not text, is reported")
  func folderOrBinaryFileInFilesPlace() throws {
    try FileManager.default.createDirectory(
      atPath: folder.visit,
      withIntermediateDirectories: true
    )
    expectNoDifference(
      folder.failure(of: "launch", .all),
      "The snapshot \(folder.visit) can't be read: it is a folder."
    )
    try FileManager.default.removeItem(atPath: folder.visit)
    try folder.write(Data([0x61, 0xFF, 0x62]), to: folder.visit)
    expectNoDifference(
      folder.failure(of: "launch", .all),
      "The snapshot \(folder.visit) can't be read: it is not UTF-8 text."
    )
  }

  @Test("A limit to the size of files is reported, and does not end the process")
  func fileSizeLimit() async {
    await #expect(processExitsWith: .success) {
      #if os(Linux)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      #else
        let resource = RLIMIT_FSIZE
      #endif
      // The program that runs the tests may ignore it, and Dispatch's threads block it.
      signal(SIGXFSZ, SIG_DFL)
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, SIGXFSZ)
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      let folder = TestFolder()
      var limits = rlimit()
      getrlimit(resource, &limits)
      limits.rlim_cur = 2
      setrlimit(resource, &limits)
      let failure = folder.failure(of: "launch", .all)
      limits.rlim_cur = limits.rlim_max
      setrlimit(resource, &limits)
      #expect(failure == "The snapshot \(folder.visit) can't be recorded: File too large.")
      #expect(folder.files == [])
    }
  }

  @Test("Snapshots of sources from another machine are reported at the caller's line")
  func otherMachine() {
    expectReportedIssue(
      """
      The snapshots of /nowhere/of/Tests.swift can't be found because its folder doesn't exist \
      on this machine. Run the tests where their sources are at the path from which they were \
      compiled.
      """,
      line: #line + 2
    ) {
      expectLifecycle(LifecycleTranscript(), matches: .file, filePath: "/nowhere/of/Tests.swift")
    }
  }

  @Test("Threads that record the same snapshot leave a complete one")
  func concurrentRecordingsLeaveAWholeSnapshot() async throws {
    let path = folder.visit
    let long = (0..<2000).map { "line \($0)" }.joined(separator: "\n") + "\n"
    await awaitOtherThreads(16) { number in
      for _ in 0..<20 {
        do {
          try SnapshotFiles.write("\(number)\n\(long)", to: path)
          let text = try SnapshotFiles.read(path)
          if text?.drop(while: { $0 != "\n" }).dropFirst() ?? "" != long {
            reportIssue("\(text?.prefix(80) ?? "no file"), \(text?.count ?? 0) characters")
          }
        } catch {
          reportIssue(error)
        }
      }
    }
    expectNoDifference(folder.files, ["__Snapshots__/Tests/visit.1.txt"])
  }
}
