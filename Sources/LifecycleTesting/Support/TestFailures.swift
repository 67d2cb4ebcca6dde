import IssueReporting
package import LifecycleCore
import LifecycleSupport

// A program that links Testing must find it at launch; on Apple platforms only tests do.
#if !canImport(Darwin) && canImport(Testing)
  import Testing
#endif

/// A reporter of failures, in a place where they fail the test.
///
/// Swift Testing identifies the test by a task-local value: a failure that another thread reports
/// fails no test. Such a failure is kept until the test next calls in.
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
      Self.report(
        "\(failure.message)\n\n(This failure was reported outside the test.)",
        at: failure.site
      )
    }
  }

  /// Reports a failure now if it would fail the test, or else at the test's next call. Thread-safe.
  package func report(_ message: String, at site: CallSite) {
    if isHeard { return Self.report(message, at: site) }
    kept.withLock { $0.append(Failure(message: message, site: site)) }
  }

  /// Reports the failures that were kept, if they would fail the test.
  package func flush() {
    guard kept.withLock({ !$0.isEmpty }), isHeard else { return }
    for failure in kept.withLock({ kept in
      defer { kept = [] }
      return kept
    }) {
      Self.report(failure.message, at: failure.site)
    }
  }

  private var isHeard: Bool {
    !belongsToSwiftTesting || TestContext.current?.isSwiftTesting ?? false
  }

  /// Reports a failure now: to the test, or, from a thread that belongs to no test, to the run,
  /// which then fails.
  package static func report(_ message: String, at site: CallSite) {
    site.report(message)
    #if !canImport(Darwin) && canImport(Testing)
      // If Swift Testing finds no test, the failure has gone to XCTest, which has no test to fail
      // if Swift Testing is running. If it is not, this report is ignored.
      guard case .xcTest = TestContext.current else { return }
      Issue.record(Comment(rawValue: message), sourceLocation: site.sourceLocation)
    #endif
  }
}

#if !canImport(Darwin) && canImport(Testing)
  extension CallSite {
    fileprivate var sourceLocation: SourceLocation {
      SourceLocation(
        fileID: "\(fileID)",
        filePath: "\(filePath)",
        line: Int(line),
        column: Int(column)
      )
    }
  }
#endif
