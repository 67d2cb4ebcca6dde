import IssueReporting
import ReactiveLifecycle

/// Failures of the test in which this was made, from any thread.
///
/// Swift Testing knows its test by the task. What comes from elsewhere is kept until the test touches
/// the double again.
final class TestFailures: Sendable {
  private struct Failure {
    let message: String
    let site: CallSite
  }

  private let isInSwiftTesting = TestContext.current?.isSwiftTesting == true
  private let kept = Locked<[Failure]>([])

  deinit { reportAll() }

  /// Reports in the test; keeps elsewhere. Any thread, without a lock of the caller's.
  func report(_ message: String, at site: CallSite) {
    kept.withLock { $0.append(Failure(message: message, site: site)) }
    flush()
  }

  /// Reports what was kept, if this is the test.
  func flush() {
    if !isInSwiftTesting || TestContext.current?.isSwiftTesting == true { reportAll() }
  }

  private func reportAll() {
    let failures = kept.withLock { failures in
      defer { failures = [] }
      return failures
    }
    for failure in failures { failure.site.report(failure.message) }
  }
}
