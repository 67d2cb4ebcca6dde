/// The names and limits of the format.
enum FlightFormat {
  /// The value of the field `format` in the head of each run.
  static let name = "lifecycle-recording"

  /// The version that is written, and the only one that is read.
  static let version = 1

  /// The greatest number: JSON readers that compute with floating-point numbers know it exactly.
  static let greatestNumber = 1 << 53 - 1

  /// Returns the number within the limits of the format.
  static func number(_ number: some BinaryInteger) -> Int {
    Int(clamping: min(max(number, 0), .init(clamping: greatestNumber)))
  }
}

extension Duration {
  /// The duration in whole nanoseconds, rounded toward zero; ±292 years at most.
  var wholeNanoseconds: Int64 {
    Int64(clamping: attoseconds / 1_000_000_000)
  }
}
