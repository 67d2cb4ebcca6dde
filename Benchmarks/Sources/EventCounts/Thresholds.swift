import Foundation

/// The counts that were saved, and with which tools they were taken.
package struct Thresholds: Codable, Equatable, Sendable {
  /// What instruction counts depend on, by name.
  package var toolchain: [String: String]
  /// The counts, by the scenario's name.
  package var scenarios: [String: Counts]

  package init(toolchain: [String: String], scenarios: [String: Counts] = [:]) {
    self.toolchain = toolchain
    self.scenarios = scenarios
  }

  /// Thresholds from their JSON text.
  package init(json: Data) throws {
    self = try JSONDecoder().decode(Self.self, from: json)
  }

  /// The thresholds as text that differs only where a count does.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// The same with the counts of some scenarios replaced.
  package func replacing(_ counts: [Scenario: Counts]) -> Self {
    var result = self
    for (scenario, counts) in counts { result.scenarios[scenario.rawValue] = counts }
    return result
  }

  /// How the present tools differ from those that the counts were taken with, a line each.
  package func differences(from present: [String: String]) -> [String] {
    Set(toolchain.keys).union(present.keys).sorted().compactMap { name in
      let (saved, now) = (toolchain[name] ?? "none", present[name] ?? "none")
      return saved == now ? nil : "\(name): saved with \(saved), now \(now)"
    }
  }
}
