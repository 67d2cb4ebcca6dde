/// A number as it is typed: digits, with an optional sign and fraction.
///
/// `1e3`, `0x10`, `nan`, and `inf` are not accepted.
package enum PlainNumber {
  package static func parse(_ text: String) -> Double? {
    guard text.wholeMatch(of: /[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)/) != nil,
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }

  package struct Problem: Error, Hashable, CustomStringConvertible {
    package var description: String

    package init(description: String) {
      self.description = description
    }
  }

  /// Parses a number and checks that it is in a range.
  ///
  /// - Throws: `Problem`, whose description names the range.
  package static func parse(
    _ text: String,
    in range: ClosedRange<Double>
  ) throws(Problem) -> Double {
    guard let number = parse(text), range.contains(number) else {
      let (least, most) = (words(range.lowerBound), words(range.upperBound))
      throw Problem(description: "Specify a number from \(least) to \(most).")
    }
    return number
  }

  private static func words(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}

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
