import LifecycleCombine
import TestSupport

/// How a stream ends.
enum StreamEnd: CaseIterable {
  case cancelled, finished, busEnded

  /// How an upstream ends, and what a downstream then notes.
  @MainActor static let completions: [(Subscribers.Completion<ProbeFailure>, String)] = [
    (.finished, "finished"), (.failure(.broken), "failed"),
  ]
}
