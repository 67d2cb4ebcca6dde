import ArgumentParser

/// A scenario and how often it is performed, as in `live-token=8192`.
package struct ScenarioRun: Hashable, Sendable {
  package let scenario: Scenario
  package let count: Int

  package init(_ scenario: Scenario, count: Int) {
    self.scenario = scenario
    self.count = count
  }
}

extension ScenarioRun: CustomStringConvertible, ExpressibleByArgument {
  package init?(argument: String) {
    let parts = argument.split(separator: "=")
    guard parts.count == 2, let scenario = Scenario(rawValue: String(parts[0])),
      let count = Int(parts[1]), count > 0
    else { return nil }
    self.init(scenario, count: count)
  }

  package var description: String { "\(scenario.rawValue)=\(count)" }
}
