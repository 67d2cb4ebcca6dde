/// A number of seconds, as it is typed.
package enum WholeSeconds {
  package struct Problem: Error, CustomStringConvertible {
    package var description: String {
      "Specify a whole number from \(range.lowerBound) to \(range.upperBound)."
    }
  }

  /// About 30 years at most: a countdown can't be much longer.
  private static let range = 1...1_000_000_000

  package static func parse(_ text: String) throws(Problem) -> Int {
    guard let seconds = Int(text), range.contains(seconds) else { throw Problem() }
    return seconds
  }
}
