import ReactiveLifecycle
import Testing

/// A failure that was reported, with the place that it names.
struct CapturedFailure: Equatable {
  let message: String
  let fileID: String
  let line: Int
}

/// The failures that a body reports. There must be one at least.
func capturedFailures(_ body: () throws -> Void) rethrows -> [CapturedFailure] {
  let failures = Locked<[CapturedFailure]>([])
  try withKnownIssue {
    try body()
  } matching: { issue in
    let failure = CapturedFailure(
      message: issue.comments.map(\.rawValue).joined(separator: "\n"),
      fileID: issue.sourceLocation?.fileID ?? "",
      line: issue.sourceLocation?.line ?? 0
    )
    failures.withLock { $0.append(failure) }
    return true
  }
  return failures.withLock { $0 }
}
