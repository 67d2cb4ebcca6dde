import BenchmarkSupport
import Foundation

/// The rows that are compared with each other: those of one operation and size.
///
/// All peers measure a column before any measures the next. So what a ratio compares lies a second
/// or two apart, not half a minute, in which a machine's speed may change by half.
struct Column: CustomStringConvertible {
  /// What is measured.
  let operation: BenchmarkOperation
  /// How many there are of what the operation counts.
  let size: Int

  /// Every column, in the order of measurement.
  static var all: [Column] {
    BenchmarkOperation.all.flatMap { operation in
      operation.sizes.map { Column(operation: operation, size: $0) }
    }
  }

  var description: String { "\(operation.name), \(operation.sizeUnit): \(size.grouped)" }

  /// A regular expression that finds the column's rows by their identifiers.
  var filter: String { "/\(operation.name)/\(size)$" }
}

extension Int {
  /// The digits in groups of three, whatever the user's locale: `100,000`.
  var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }
}
