import CustomDump
import IssueReporting
import TestSupport
import Testing

@Suite("What is reported on a thread that a test started is reported to the test")
struct OtherThreadTests {
  @Test("A thread that is waited for by blocking")
  func blocking() {
    let issues = reportedIssues { onOtherThread { reportIssue("lost", line: 7) } }
    expectNoDifference(issues, [ReportedIssue("lost", line: 7)])
  }

  @Test("A thread that is waited for without blocking")
  func suspending() async {
    let issues = await reportedIssues { await awaitOtherThread { reportIssue("lost", line: 7) } }
    expectNoDifference(issues, [ReportedIssue("lost", line: 7)])
  }

  @Test("Several threads")
  func several() async {
    let issues = await reportedIssues {
      await awaitOtherThreads(3) { reportIssue("lost", line: UInt($0)) }
    }
    expectNoDifference(
      issues.sorted { $0.line < $1.line },
      (0..<3).map { ReportedIssue("lost", line: $0) }
    )
  }

  @Test("Several threads that are waited for by blocking")
  func severalBlocking() {
    let issues = reportedIssues { onOtherThreads(3) { reportIssue("lost", line: UInt($0)) } }
    expectNoDifference(
      issues.sorted { $0.line < $1.line },
      (0..<3).map { ReportedIssue("lost", line: $0) }
    )
  }

  @Test("What the body holds is released before the wait ends, and what that reports is reported")
  func released() async {
    for _ in 1...100 {
      let issues = await reportedIssues {
        await awaitOtherThreads(2) { [canary = Canary { reportIssue("lost", line: 7) }] _ in
          canary.sing()
        }
      }
      expectNoDifference(issues, [ReportedIssue("lost", line: 7)])
    }
  }

  @Test("A thread that a thread started")
  func nested() async {
    let issues = await reportedIssues {
      await awaitOtherThread { onOtherThread { reportIssue("lost", line: 7) } }
    }
    expectNoDifference(issues, [ReportedIssue("lost", line: 7)])
  }

  @Test("What the body expects to be reported goes no further")
  func expected() async {
    let issues = await reportedIssues {
      await awaitOtherThreads(2) { _ in
        expectReportedIssue("expected") { reportIssue("expected") }
      }
    }
    expectNoDifference(issues, [])
  }
}
