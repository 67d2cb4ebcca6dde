/// A number as it is typed: digits, maybe with a sign and a fraction. No `1e3`, `0x10`, `nan`, `inf`.
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

  /// A number from a range.
  ///
  /// - Throws: `Problem`, which says what to give.
  package static func parse(
    _ text: String,
    in range: ClosedRange<Double>
  ) throws(Problem) -> Double {
    guard let number = parse(text), range.contains(number) else {
      let (least, most) = (words(range.lowerBound), words(range.upperBound))
      throw Problem(description: "Give a number from \(least) to \(most).")
    }
    return number
  }

  private static func words(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}
