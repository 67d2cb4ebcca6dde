import IssueReporting
public import Testing

/// A message that was reported, and the place that it names.
public struct ReportedIssue: Hashable, Sendable {
  public var message: String
  public var fileID: String
  public var line: Int

  public init(_ message: String, fileID: String = #fileID, line: Int) {
    self.message = message
    self.fileID = fileID
    self.line = line
  }
}

/// Runs the body and returns the issues that it reports. They fail no test.
///
/// An issue that is reported outside of the calling task goes elsewhere, except from threads of
/// `onOtherThread` and the like.
public func reportedIssues(_ body: () throws -> Void) rethrows -> [ReportedIssue] {
  let recorder = IssueRecorder()
  try withIssueReporters([recorder], operation: body)
  return recorder.take()
}

/// Runs the body and returns the issues that it reports. They fail no test.
///
/// An issue that is reported outside of the calling task and its children goes elsewhere, except from
/// threads of `awaitOtherThread` and the like.
public func reportedIssues(
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Void
) async rethrows -> [ReportedIssue] {
  let recorder = IssueRecorder()
  try await withIssueReporters([recorder], operation: body)
  return recorder.take()
}

/// Expects that the body reports one issue.
///
/// - Parameters:
///   - text: A part of its message.
///   - line: The line of the calling file that the issue names; nil for any place.
public func expectReportedIssue(
  _ text: String,
  line: Int? = nil,
  fileID: String = #fileID,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) rethrows {
  let issues = try reportedIssues(body)
  let isExpected =
    issues.count == 1 && issues[0].message.contains(text)
    && (line == nil || issues[0].line == line && issues[0].fileID == fileID)
  #expect(isExpected, "\(issues)", sourceLocation: sourceLocation)
}
