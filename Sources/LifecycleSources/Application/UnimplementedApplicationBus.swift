import IssueReporting
import LifecycleSupport
import ReactiveLifecycle

/// The bus that `LifecycleBus.application` is in a test that does not replace it.
enum UnimplementedApplicationBus {
  private static let bus = LifecycleBus()
  /// A repetition of a test in the same process is not reported again.
  private static let reportedTests = Locked<Set<String>>([])

  /// A bus that is connected to nothing if a test calls, which is reported once; otherwise nil.
  static var ofCallingTest: LifecycleBus? {
    guard let test = CallingTest.current else { return nil }
    if isFirstUse(by: test) { report(test) }
    return bus
  }

  /// Returns whether the test has not been seen; true for a test without a name.
  private static func isFirstUse(by test: CallingTest) -> Bool {
    guard let name = test.name else { return true }
    return reportedTests.withLock { $0.insert(name).inserted }
  }

  private static func report(_ test: CallingTest) {
    let message = """
      \(test) uses LifecycleBus.application, which is unimplemented in tests, and gets a bus that \
      is connected to nothing. Pass the test's own bus to the code under test, add the trait \
      .lifecycle of LifecycleTestingTraits to the test or its suite, or replace the bus by \
      LifecycleBus.withApplication(_:operation:). For the process's own bus, pass .liveApplication \
      there.
      """
    if let site = test.site { site.report(message) } else { reportIssue(message) }
  }
}
