import LifecycleSupport
import Testing

/// Whether a test has failed so far.
final class TestFailure: Sendable {
  private let flag = SharedFlag()

  /// A Boolean value that indicates whether an issue was recorded that fails the test.
  var isKnown: Bool { flag.isOn }

  /// Runs the test. An error that it throws is no issue yet.
  func watch(
    _ test: Test,
    _ testCase: Test.Case?,
    _ function: @Sendable () async throws -> Void
  ) async throws {
    let watch = IssueHandlingTrait.filterIssues { [flag] issue in
      if issue.isFailure { flag.set(true) }
      return true
    }
    try await watch.provideScope(for: test, testCase: testCase, performing: function)
  }
}
