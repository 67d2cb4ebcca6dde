import IssueReporting
import ReactiveLifecycle

/// Reports failures where the test hears of them.
///
/// Swift Testing knows the test by a value of its task: what is reported from another thread fails no
/// test. Such a failure is kept until the test comes back.
package final class TestFailures: Sendable {
  private struct Failure {
    let message: String
    let site: CallSite
  }

  private let belongsToSwiftTesting = TestContext.current?.isSwiftTesting ?? false
  private let kept = Locked<[Failure]>([])

  package init() {}

  deinit {
    flush()
    for failure in kept.withLock({ $0 }) {
      failure.site.report("\(failure.message)\n\n(This came from outside of the test.)")
    }
  }

  /// Reports a failure now if the test can hear it, else when it comes back. Any thread.
  package func report(_ message: String, at site: CallSite) {
    if isHeard { return site.report(message) }
    kept.withLock { $0.append(Failure(message: message, site: site)) }
  }

  /// Reports what was kept, if the test can hear it.
  package func flush() {
    guard kept.withLock({ !$0.isEmpty }), isHeard else { return }
    for failure in kept.withLock({ kept in
      defer { kept = [] }
      return kept
    }) {
      failure.site.report(failure.message)
    }
  }

  private var isHeard: Bool {
    !belongsToSwiftTesting || TestContext.current?.isSwiftTesting ?? false
  }
}
