import Foundation
import IssueReporting

/// The report of a test that uses the application's bus.
enum UnimplementedApplicationBus {
  /// Reports the use as an issue; also in standard error if it may belong to no test, because a
  /// runner drops such an issue without a trace.
  static func report(in context: TestContext?) {
    let message = message(in: context)
    reportIssue(message)
    if case .swiftTesting = context { return }
    try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
  }

  static func message(in context: TestContext?) -> String {
    let test =
      if case .swiftTesting(let testing?) = context {
        "The test \(testing.test.id.rawValue)"
      } else {
        "A test"
      }
    return """
      \(test) uses LifecycleBus.application, which is unimplemented in tests, and gets a bus that is \
      connected to nothing. Pass the test's own bus to the code under test, add the trait \
      .lifecycle of LifecycleTestingTraits to the test or its suite, or replace the bus by \
      LifecycleBus.withApplication(_:operation:). For the process's own bus, pass .liveApplication \
      there.
      """
  }
}
