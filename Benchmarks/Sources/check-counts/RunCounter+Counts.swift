import EventCounts
import Foundation

extension RunCounter {
  /// What a unit of each scenario costs. As many runs at once as there are processors.
  func counts(
    of scenarios: [Scenario],
    _ quantities: [Quantity]
  ) async throws -> [Scenario: Counts] {
    let runs = scenarios.flatMap { CountedRun.all(of: $0, quantities) }
    let width = ProcessInfo.processInfo.activeProcessorCount
    writeToStandardError("\(runs.count) runs under \(valgrindVersion), \(width) at once …")
    return EventCounts.counts(of: scenarios, quantities, from: try await totals(runs, width: width))
  }

  private func totals(
    _ runs: [CountedRun],
    width: Int
  ) async throws -> [CountedRun: [Quantity: Int]] {
    try await withThrowingTaskGroup(of: (CountedRun, [Quantity: Int]).self) { group in
      var result: [CountedRun: [Quantity: Int]] = [:]
      for (index, run) in runs.enumerated() {
        if index >= width, let (run, totals) = try await group.next() { result[run] = totals }
        group.addTask { (run, try await totals(run)) }
      }
      for try await (run, totals) in group { result[run] = totals }
      return result
    }
  }
}
