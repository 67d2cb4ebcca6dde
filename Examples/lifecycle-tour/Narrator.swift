import Foundation
import LifecycleSupport
import ProgramReporting
import ReactiveLifecycle

/// The narrator of the tour, which writes line by line and counts the claims.
final class Narrator: Sendable {
  private struct Account {
    var claims = 0
    var failures = 0
  }

  private let account = Locked(Account())
  private let start = ContinuousClock.now

  /// Writes text at once. It consists only of lines, so that it reads the same in a file.
  func write(_ text: String) {
    do throws(DescriptorOutput.Failure) {
      try DescriptorOutput.write(OutsideText.lines(text), to: STDOUT_FILENO)
    } catch {
      try? DescriptorOutput.write("lifecycle-tour: \(error)\n", to: STDERR_FILENO)
      exit(EX_IOERR)
    }
  }

  func writeLine(_ line: String) {
    write(line + "\n")
  }

  func title(_ text: String) {
    writeLine("\n\(text)\n\(String(repeating: "=", count: text.count))")
  }

  /// Writes what happens, with its time.
  func moment(_ text: String) {
    let time = (ContinuousClock.now - start) / .milliseconds(10)
    let hundredths = Int(time.rounded())
    let seconds = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    writeLine("\(String(repeating: " ", count: max(0, 7 - seconds.count)))\(seconds)  \(text)")
  }

  /// Shows that time passes while nothing happens.
  func wait(_ seconds: Int, _ what: String, _ second: () -> Void) {
    write("         \(what):")
    for number in 1...seconds {
      second()
      write(" \(number) s\(number == seconds ? "\n" : ",")")
    }
  }

  // MARK: Claims

  func claim<Value: Equatable>(_ claim: String, _ found: Value, _ expected: Value) {
    check(claim, found == expected, "expected \(expected), found \(found)")
  }

  func claim(_ claim: String, _ found: Double, in expected: ClosedRange<Double>) {
    check(
      claim,
      expected.contains(found),
      "expected \(expected.lowerBound) to \(expected.upperBound), found \(found)"
    )
  }

  /// Reports the reason why the tour cannot continue.
  func fail(_ reason: String) {
    check("the tour can continue", false, reason)
  }

  /// Writes the result, and returns a Boolean value that indicates whether all claims hold.
  func conclude() -> Bool {
    let (claims, failures) = account.withLock { ($0.claims, $0.failures) }
    writeLine("")
    moment(
      failures == 0
        ? "All \(claims) claims hold."
        : "\(failures) of \(claims) claims do not hold."
    )
    return failures == 0
  }

  private func check(_ claim: String, _ holds: Bool, _ difference: String) {
    account.withLock {
      $0.claims += 1
      if !holds { $0.failures += 1 }
    }
    writeLine(holds ? "    [ok] \(claim)" : "[FAILED] \(claim): \(difference)")
  }
}
