import TestSupport

/// What is reported while the body runs, each with its place: `+2: The background task …`, two lines
/// below the call.
func failuresOfDouble(
  fileID: String = #fileID,
  line: Int = #line,
  _ body: () throws -> Void
) rethrows -> [String] {
  try reportedIssues(body).map { text(of: $0, fileID, line) }
}

/// The same for a body that waits.
func failuresOfDouble(
  isolation: isolated (any Actor)? = #isolation,
  fileID: String = #fileID,
  line: Int = #line,
  _ body: () async throws -> Void
) async rethrows -> [String] {
  try await reportedIssues(isolation: isolation, body).map { text(of: $0, fileID, line) }
}

private func text(of issue: ReportedIssue, _ fileID: String, _ line: Int) -> String {
  let file = issue.fileID == fileID ? "" : "\(issue.fileID) "
  return "\(file)+\(issue.line - line): \(issue.message)"
}
