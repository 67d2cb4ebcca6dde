/// Runs that one process makes under a tool, one after the other, each in another child.
///
/// Starting a process under valgrind takes longer than most runs. The children share what the
/// process does until then.
package struct CountedBatch: Hashable, Sendable, CustomStringConvertible {
  package let tool: CountingTool
  /// The program that is run.
  package let program: String
  package private(set) var runs: [CountedRun]

  /// The arguments of the program.
  package var arguments: [String] {
    runs.map(\.scenario) == [.launch] ? [] : runs.map(\.argument)
  }

  /// The options of the tool.
  package var options: [String] {
    // Only what the function does that performs a scenario, so that the process itself, and what it
    // does between its children, is not counted.
    tool == .callgrind && program == "count-events"
      ? ["--toggle-collect=*\(Scenario.countedFunction)*"] : []
  }

  package var description: String {
    "\(([program] + arguments).joined(separator: " ")), under \(tool)"
  }

  /// The totals of the runs, read from the tool's report; nil if one is missing.
  package func totals(in log: String) -> [CountedRun: [Quantity: Int]]? {
    let totals = tool.totals(in: log)
    guard totals.count >= runs.count else { return nil }
    // The process itself reports last. Where only a function is counted, it must have been found.
    guard totals.prefix(runs.count).allSatisfy({ $0[.instructions] != 0 }) else { return nil }
    return Dictionary(uniqueKeysWithValues: zip(runs, totals))
  }

  /// The runs of scenarios in batches, as many for a tool as can run at once.
  package static func all(
    of scenarios: [Scenario],
    _ quantities: [Quantity],
    width: Int
  ) -> [CountedBatch] {
    var batches: [CountedBatch] = []
    // The runs of a scenario under a tool share a process: only what is in both cancels out.
    for runs in scenarios.flatMap({ CountedRun.all(of: $0, quantities) }) {
      let (tool, program) = (runs[0].tool, runs[0].scenario.program)
      let alike = batches.indices.filter {
        batches[$0].tool == tool && batches[$0].program == program
      }
      if alike.count < width {
        batches.append(CountedBatch(tool: tool, program: program, runs: runs))
      } else if let shortest = alike.min(by: { batches[$0].runs.count < batches[$1].runs.count }) {
        batches[shortest].runs += runs
      }
    }
    return batches
  }
}
