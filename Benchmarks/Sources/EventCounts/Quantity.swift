/// What is counted of a scenario, per unit.
package enum Quantity: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  case instructions
  case allocations
  /// Heap bytes that are still in use at the end.
  case bytes
  /// Shared libraries.
  case libraries
  /// The bytes of a process in physical memory, those that it shares with others included.
  case memory

  /// The tool that counts it.
  package var tool: CountingTool {
    switch self {
    case .instructions: .callgrind
    case .allocations, .bytes: .dhat
    case .libraries: .linker
    case .memory: .kernel
    }
  }

  /// The part of the saved count by which the present one may differ.
  package var tolerance: Double {
    switch self {
    case .instructions: 0.02
    // How much of a library is mapped at once is up to the page cache.
    case .memory: 0.1
    case .allocations, .bytes, .libraries: 0
    }
  }
}

/// The counts of a scenario, per unit.
package typealias Counts = [Quantity: Double]
