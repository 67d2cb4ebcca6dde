extension Comparison: CustomStringConvertible {
  package var description: String {
    "\(scenario.rawValue), \(quantity.rawValue): \(remarks)"
  }
}

/// What was counted beside what was saved, in the order of the scenarios' declaration.
package func comparisons(
  _ counts: [Scenario: Counts],
  with saved: Thresholds
) -> [Comparison] {
  Scenario.allCases.flatMap { scenario in
    Quantity.allCases.compactMap { quantity in
      counts[scenario]?[quantity].map {
        Comparison(
          scenario,
          quantity,
          saved: saved.scenarios[scenario.rawValue]?[quantity],
          now: $0
        )
      }
    }
  }
}
