import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Scripts in real time")
@MainActor
struct RealTimeScriptTests {
  @Test("Steps that need a manual clock are reported; an impossible step ends the script")
  func impossibleSteps() async throws {
    let lifecycle = ScriptedLifecycle.inRealTime(style: .init(precision: .seconds(3600)))
    var line = 0
    let issues = try await reportedIssues {
      line = #line + 1
      _ = try await lifecycle.performInRealTime([
        .launch, .sleepDevice(for: .seconds(1)), .setWallClock(by: .seconds(1)), .becomeActive,
        .enterForeground, .kill,
      ])
    }
    expectNoDifference(issues.map(\.line), [line, line, line])
    expectNoDifference(
      issues.map(\.message),
      [
        "The step sleepDevice(for: 1 s) is impossible in real time. Use a manual clock.",
        "The step setWallClock(by: 1 s) is impossible in real time. Use a manual clock.",
        """
        The step enterForeground is impossible: the process is active, but must be in the \
        background. The script ends here.
        """,
      ]
    )
    expectNoDifference(lifecycle.bus.phase, .active)
    expectNoDifference(lifecycle.transcript.lines.count { $0.description.hasPrefix("kill") }, 0)
  }
}
