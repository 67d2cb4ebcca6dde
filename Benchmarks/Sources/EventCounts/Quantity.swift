/// What is counted of a scenario, per unit.
package enum Quantity: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  case instructions
  case allocations
  /// Heap bytes that are still in use at the end.
  case bytes

  /// The tool of valgrind that counts it.
  package var tool: ValgrindTool {
    switch self {
    case .instructions: .callgrind
    case .allocations, .bytes: .dhat
    }
  }

  /// The part of the saved count by which the present one may differ.
  package var tolerance: Double {
    self == .instructions ? 0.02 : 0
  }
}

/// The counts of a scenario, per unit.
package typealias Counts = [Quantity: Double]
