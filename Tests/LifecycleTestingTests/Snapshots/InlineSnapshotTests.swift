import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@Suite("Inline snapshots")
@MainActor
struct InlineSnapshotTests {
  private func makeLifecycle() -> ScriptedLifecycle {
    let lifecycle = ScriptedLifecycle()
    lifecycle.perform(.launch, .becomeActive)
    return lifecycle
  }

  private let transcript = """
    launch
      [0 s background] didFinishLaunching
    becomeActive
      [0 s inactive] willEnterForeground
      [0 s active] didBecomeActive
    """

  @Test("The expected transcript passes, whatever space surrounds its lines")
  func expectedTextPasses() {
    let lifecycle = makeLifecycle()
    expectLifecycle(lifecycle, matches: transcript)
    expectLifecycle(lifecycle, matches: "\n\(transcript.replacing("\n", with: " \n"))\n\n")
    expectLifecycle(lifecycle.transcript, matches: transcript)
    expectLifecycle(LifecycleTranscript(), matches: "")
  }

  @Test("A mismatch shows the difference and what to paste, at the caller's line")
  func mismatchShowsDifferenceAndWhatToPaste() {
    let lifecycle = makeLifecycle()
    expectReportedIssue(
      """
      The transcript differs from the expected one:

        \u{2007} launch
        \u{2007}   [0 s background] didFinishLaunching
        \u{2007} becomeActive
        \u{2007}   [0 s inactive] willEnterForeground
        −   [1 s active] didBecomeActive
        +   [0 s active] didBecomeActive

      (Expected: −, Actual: +)

      If the actual one is correct, expect it:

      \"""
      \(transcript)
      \"""
      """,
      line: #line + 2
    ) {
      expectLifecycle(lifecycle, matches: transcript.replacing("0 s active", with: "1 s active"))
    }
  }

  @Test("A missing expectation shows what to paste, at the caller's line")
  func missingExpectationShowsWhatToPaste() {
    let lifecycle = makeLifecycle()
    expectReportedIssue(
      """
      No transcript is expected yet. If the actual one is correct, expect it:

      \"""
      \(transcript)
      \"""
      """,
      line: #line + 2
    ) {
      expectLifecycle(lifecycle, matches: "")
    }
  }

  @Test("An empty transcript is reported with the expected one")
  func emptyTranscript() {
    expectReportedIssue(
      """
      The transcript is empty, but this was expected:

        − launch

      (Expected: −, Actual: +)
      """
    ) {
      expectLifecycle(LifecycleTranscript(), matches: "launch")
    }
  }
}
