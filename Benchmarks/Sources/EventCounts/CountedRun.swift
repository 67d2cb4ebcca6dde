/// One run of `count-events` under a tool.
package struct CountedRun: Hashable, Sendable, CustomStringConvertible {
  package let scenario: Scenario
  package let tool: ValgrindTool
  package let count: Int

  package var description: String {
    "count-events \(scenario.rawValue) --count \(count), under \(tool)"
  }

  /// The runs that tell the cost of what is counted of a scenario.
  package static func all(of scenario: Scenario, _ quantities: [Quantity]) -> [CountedRun] {
    let tools = Set(scenario.quantities.filter(quantities.contains).map(\.tool))
    return tools.flatMap { tool in
      [scenario.count, 2 * scenario.count].map {
        CountedRun(scenario: scenario, tool: tool, count: $0)
      }
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
      guard let once = total(scenario.count), let twice = total(2 * scenario.count) else {
        continue
      }
      result[scenario, default: [:]][quantity] = unitCost(
        once,
        ofTwice: twice,
        count: scenario.count
      )
    }
  }
  return result
}
