import IssueReporting
import LifecycleSupport
package import ReactiveLifecycle

// A program that links Testing must find it when it starts, which only tests do on Apple platforms.
#if !canImport(Darwin) && canImport(Testing)
  import Testing
#endif

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
      Self.report("\(failure.message)\n\n(This came from outside of the test.)", at: failure.site)
    }
  }

  /// Reports a failure now if the test can hear it, else when it comes back. Any thread.
  package func report(_ message: String, at site: CallSite) {
    if isHeard { return Self.report(message, at: site) }
    kept.withLock { $0.append(Failure(message: message, site: site)) }
  }

  /// Reports what was kept, if the test can hear it.
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

  /// Reports a failure now: to the test, or from a thread that belongs to no test to the run, which fails.
  package static func report(_ message: String, at site: CallSite) {
    site.report(message)
    #if !canImport(Darwin) && canImport(Testing)
      // Where Swift Testing knows no test, the failure has gone to XCTest, which has none to fail if it
      // is Swift Testing that runs. If it is not, this is heard by nobody.
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
