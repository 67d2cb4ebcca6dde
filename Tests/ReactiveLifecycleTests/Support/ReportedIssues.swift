import IssueReporting
import LifecycleSupport
import ReactiveLifecycle

/// An issue reporter that keeps what is reported instead of failing the test.
final class ReportedIssues: IssueReporter {
  struct Issue: Equatable {
    var message: String
    var line: Int
  }

  private let issues = Locked<[Issue]>([])

  func take() -> [Issue] {
    issues.withLock { issues in
      defer { issues = [] }
      return issues
    }
  }

  func reportIssue(
    _ message: @autoclosure () -> String?,
    severity: IssueSeverity,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let issue = Issue(message: message() ?? "", line: Int(line))
    issues.withLock { $0.append(issue) }
  }
}
