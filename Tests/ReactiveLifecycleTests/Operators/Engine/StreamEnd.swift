import LifecycleCombine
import TestSupport

/// An end of a stream.
enum StreamEnd: CaseIterable {
  case cancelled, finished, busEnded

  /// The completions of an upstream, and what a downstream notes of them.
  @MainActor static let completions: [(Subscribers.Completion<ProbeFailure>, String)] = [
    (.finished, "finished"), (.failure(.broken), "failed"),
  ]
}
