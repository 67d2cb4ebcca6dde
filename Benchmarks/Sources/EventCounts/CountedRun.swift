/// One run of a scenario under a tool.
package struct CountedRun: Hashable, Sendable {
  package let scenario: Scenario
  package let tool: CountingTool
  package let count: Int

  /// The argument of the program.
  package var argument: String { "\(ScenarioRun(scenario, count: count))" }

  /// The runs that tell the cost of what is counted of a scenario, those under a tool together.
  package static func all(of scenario: Scenario, _ quantities: [Quantity]) -> [[CountedRun]] {
    let wanted = scenario.quantities.filter(quantities.contains).map(\.tool)
    // Of a launch all counts, also what does not depend on a number of units.
    let sizes = scenario == .launch ? [scenario.count] : [scenario.count, 2 * scenario.count]
    return CountingTool.allCases.filter(wanted.contains).map { tool in
      sizes.map { CountedRun(scenario: scenario, tool: tool, count: $0) }
    }
  }
}

/// What a unit of each scenario costs, from the totals of the runs.
package func counts(
  of scenarios: [Scenario],
  _ quantities: [Quantity],
  from totals: [CountedRun: [Quantity: Int]]
) -> [Scenario: Counts] {
  var result: [Scenario: Counts] = [:]
  for scenario in scenarios {
    for quantity in scenario.quantities where quantities.contains(quantity) {
      func total(_ count: Int) -> Int? {
        totals[CountedRun(scenario: scenario, tool: quantity.tool, count: count)]?[quantity]
      }
      guard let once = total(scenario.count) else { continue }
      if scenario == .launch {
        result[scenario, default: [:]][quantity] = Double(once)
      } else if let twice = total(2 * scenario.count) {
        result[scenario, default: [:]][quantity] = unitCost(
          once,
          ofTwice: twice,
          count: scenario.count
        )
      }
    }
  }
  return result
}
