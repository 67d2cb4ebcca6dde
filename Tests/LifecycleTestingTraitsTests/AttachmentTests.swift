import CustomDump
import Foundation
import JobControl
import LifecycleSources
import LifecycleTesting
import LifecycleTestingTraits
import ReactiveLifecycle
import TestSupport
import Testing

/// Tests that fail, in a process of their own, and what they leave.
@Suite(
  "The trait .lifecycle: attachments of a failed test",
  .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "needs /proc"),
  .startsProcesses
)
struct AttachmentTests {
  @Test(
    "A test that fails leaves its transcript and its timeline",
    arguments: ["failedExpectation", "thrownError", "reportedIssue"]
  )
  func failedTest(_ test: String) throws {
    let files = try attachments(of: test, exit: 1)
    expectNoDifference(files.keys.sorted(), ["\(test) timeline.html", "\(test) transcript.txt"])
    expectNoDifference(
      files["\(test) transcript.txt"],
      """
      launch
        [0 s background] didFinishLaunching
      becomeActive
        [0 s inactive] willEnterForeground
        [0 s active] didBecomeActive

      """
    )
    let page = files["\(test) timeline.html"] ?? ""
    #expect(page.contains("<html"))
    #expect(page.contains("didBecomeActive"))
  }

  @Test("A test that fails leaves what happened in the scripts that it created, also released ones")
  func otherScripts() throws {
    let files = try attachments(of: "otherScripts", exit: 1)
    expectNoDifference(
      files.keys.sorted(),
      ["timeline 2.html", "timeline.html", "transcript 2.txt", "transcript.txt"].map {
        "otherScripts \($0)"
      }
    )
    expectNoDifference(
      [files["otherScripts transcript.txt"], files["otherScripts transcript 2.txt"]],
      [
        """
        launch
          [0 s background] didFinishLaunching

        """,
        """
        launch
          [0 s background] didFinishLaunching
        kill
        relaunch
          [0 s background] didFinishLaunching

        """,
      ]
    )
    let page = files["otherScripts timeline 2.html"] ?? ""
    #expect(page.contains("killed"))
  }

  @Test("Of many scripts, the latest ten are left, and the application")
  func manyScripts() throws {
    let files = try attachments(of: "manyScripts", exit: 1)
    let transcripts = files.filter { $0.key.contains("transcript") }
    #expect(transcripts.count == 11)
    #expect(transcripts["manyScripts transcript.txt"]?.contains("advance") == false)
    expectNoDifference(
      (2...11).map { transcripts["manyScripts transcript \($0).txt"]?.contains("(by: \($0) s)") },
      Array(repeating: true, count: 10)
    )
  }

  @Test(
    "A test that passes, fails as expected, or launched nothing leaves nothing",
    arguments: [("passes", 0), ("knownIssue", 0), ("launchedNothing", 1)]
  )
  func noAttachment(_ test: String, _ status: Int32) throws {
    expectNoDifference(try attachments(of: test, exit: status), [:])
  }

  /// Runs a test of those below in a process of its own, and returns its attachments by name.
  private func attachments(of test: String, exit status: Int32) throws -> [String: String] {
    let directory = TemporaryDirectory()
    let run = try runProgram(
      "/usr/bin/env",
      ["\(childVariable)=1", currentExecutablePath(), "--testing-library", "swift-testing"]
        + ["--filter", "AttachmentChild/\(test)", "--attachments-path", directory.path]
    )
    #expect(run.status == .exited(status), "\(run.text)")
    return Dictionary(
      uniqueKeysWithValues: directory.names.map {
        ($0, String(decoding: directory.bytes($0), as: UTF8.self))
      }
    )
  }
}

private let childVariable = "LIFECYCLE_ATTACHMENT_CHILD"

/// Run by those above alone.
@Suite(.lifecycle, .enabled(if: ProcessInfo.processInfo.environment[childVariable] != nil))
@MainActor
struct AttachmentChild {
  private struct Failure: Error {}

  private func launch() {
    ScriptedLifecycle.application.perform(.launch, .becomeActive)
  }

  @Test func failedExpectation() {
    launch()
    #expect(LifecycleBus.application.phase == .background)
  }

  @Test func thrownError() throws {
    launch()
    throw Failure()
  }

  @Test func reportedIssue() {
    launch()
    expectLifecycle(ScriptedLifecycle.application, matches: "launch")
  }

  @Test func otherScripts() {
    // The application is not launched.
    let script = ScriptedLifecycle()
    script.perform(.launch)
    released()
    Issue.record("an issue")
  }

  private func released() {
    let script = NonisolatedScriptedLifecycle()
    script.perform(.launch, .kill, .relaunch)
  }

  @Test func manyScripts() {
    ScriptedLifecycle.application.perform(.launch)
    for number in -3...11 {
      let script = ScriptedLifecycle()
      script.perform(.launch, .advance(by: .seconds(max(number, 1))))
    }
    Issue.record("an issue")
  }

  @Test func passes() { launch() }

  @Test func knownIssue() {
    launch()
    withKnownIssue { Issue.record("a known issue") }
  }

  @Test func launchedNothing() { Issue.record("an issue") }
}
