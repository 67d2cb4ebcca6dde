import Foundation
import IssueReporting
import Synchronization

/// The check of the reports of misuse: there are none but those that a thread expects.
final class IssueCheck: IssueReporter {
  private let faults: Faults
  /// The lines at which a thread expects reports, and those that have come.
  private let expected = Mutex<[UInt: (line: UInt, count: Int)]>([:])

  init(_ faults: Faults) { self.faults = faults }

  /// Checks that the call reports one issue, at a line.
  ///
  /// - Parameter line: The line of the call.
  func expectIssue(_ guarantee: Guarantee, line: UInt, in call: () -> Void) {
    let thread = UInt(pthread_self())
    expected.withLock { $0[thread] = (line, 0) }
    call()
    let count = expected.withLock { $0.removeValue(forKey: thread) }?.count
    faults.check(guarantee, count == 1, "\(count ?? 0) issues were reported at line \(line)")
  }

  func reportIssue(
    _ message: @autoclosure () -> String?,
    severity: IssueSeverity,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let isExpected = expected.withLock { expected in
      let thread = UInt(pthread_self())
      guard expected[thread]?.line == line else { return false }
      expected[thread]!.count += 1
      return true
    }
    faults.check(.features, isExpected, "reported at \(fileID):\(line): \(message() ?? "")")
  }
}
