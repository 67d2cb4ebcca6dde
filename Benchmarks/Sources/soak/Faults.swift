import Foundation
import Synchronization

/// Counts the checks, writes what is wrong to standard error at once, and ends the process after a
/// few faults.
final class Faults: Sendable {
  private struct State {
    var subject = ""
    var count = 0
  }

  private static let limit = 10

  private let deliberate: DeliberateFault?
  private let state = Mutex(State())
  /// The number of checks of each guarantee, at its number.
  private let checkCounts = (0...Guarantee.allCases.count).map { _ in SharedCount() }

  init(deliberate: DeliberateFault? = nil) {
    self.deliberate = deliberate
  }

  var checks: Int { checkCounts.reduce(0) { $0 + $1.value } }
  var isEmpty: Bool { state.withLock { $0.count == 0 } }

  /// The number of checks of each guarantee: `G1 120, G2 30`.
  var summary: String {
    Guarantee.allCases.map { "\($0.name) \(checkCounts[$0.rawValue].value)" }
      .joined(separator: ", ")
  }

  /// Returns a Boolean value that indicates whether the soak makes this fault on purpose.
  func makes(_ fault: DeliberateFault) -> Bool { deliberate == fault }

  /// Names the subject of the checks from now on.
  func begin(_ subject: String) {
    state.withLock { $0.subject = subject }
  }

  func check(_ guarantee: Guarantee, _ condition: Bool, _ message: @autoclosure () -> String) {
    checkCounts[guarantee.rawValue].add(1)
    if condition { return }
    let text = message()
    state.withLock { state in
      writeToStandardError("\(state.subject): \(guarantee.name): \(text)\n")
      state.count += 1
      if state.count == Self.limit {
        writeToStandardError("Ended after \(state.count) faults.\n")
        _exit(1)
      }
    }
  }

  /// Checks that each guarantee has been checked.
  func checkCoverage() {
    for guarantee in Guarantee.allCases where checkCounts[guarantee.rawValue].value == 0 {
      check(.leftovers, false, "\(guarantee.name) was never checked")
    }
  }
}

func writeToStandardError(_ text: String) {
  FileHandle.standardError.write(Data(text.utf8))
}
