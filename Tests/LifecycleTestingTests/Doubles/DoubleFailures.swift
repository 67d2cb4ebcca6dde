import ReactiveLifecycle
import Testing

/// What is reported while the body runs, each with its place: `+2: The background task …`, two lines
/// below the call.
func failuresOfDouble(
  fileID: String = #fileID,
  line: Int = #line,
  _ body: () throws -> Void
) rethrows -> [String] {
  let failures = FoundFailures()
  try withKnownIssue(isIntermittent: true) {
    try body()
  } matching: { issue in
    failures.add(issue, fileID, line)
  }
  return failures.lines
}

/// The same for a body that waits.
func failuresOfDouble(
  isolation: isolated (any Actor)? = #isolation,
  fileID: String = #fileID,
  line: Int = #line,
  _ body: () async throws -> Void
) async rethrows -> [String] {
  let failures = FoundFailures()
  try await withKnownIssue(isIntermittent: true, isolation: isolation) {
    try await body()
  } matching: { issue in
    failures.add(issue, fileID, line)
  }
  return failures.lines
}

private final class FoundFailures: Sendable {
  private let state = Locked<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func add(_ issue: Issue, _ fileID: String, _ line: Int) -> Bool {
    let place = issue.sourceLocation
    let file = place?.fileID == fileID ? "" : "\(place?.fileID ?? "nowhere") "
    let message = issue.comments.map(\.rawValue).joined(separator: " | ")
    state.withLock { $0.append("\(file)+\((place?.line ?? 0) - line): \(message)") }
    return true
  }
}
