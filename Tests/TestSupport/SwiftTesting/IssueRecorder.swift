public import IssueReporting
import LifecycleSupport

/// Keeps what is reported instead of failing the test.
public final class IssueRecorder: IssueReporter {
  private struct Report {
    let message: String
    let severity: IssueSeverity
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt
  }

  private let reports = Locked<[Report]>([])

  public init() {}

  /// Takes out the issues.
  public func take() -> [ReportedIssue] {
    takeReports()
      .map { ReportedIssue($0.message, fileID: "\($0.fileID)", line: Int($0.line)) }
  }

  /// Takes out the issues, and reports them where this is called.
  public func reportAgain() {
    for report in takeReports() {
      IssueReporting.reportIssue(
        report.message,
        severity: report.severity,
        fileID: report.fileID,
        filePath: report.filePath,
        line: report.line,
        column: report.column
      )
    }
  }

  private func takeReports() -> [Report] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports
    }
  }

  public func reportIssue(
    _ message: @autoclosure () -> String?,
    severity: IssueSeverity,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let report = Report(
      message: message() ?? "",
      severity: severity,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
    reports.withLock { $0.append(report) }
  }

  public func reportIssue(
    _ error: any Error,
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let text = (message().map { "\($0)\n" } ?? "") + "\(error)"
    reportIssue(
      text,
      severity: .error,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }
}
