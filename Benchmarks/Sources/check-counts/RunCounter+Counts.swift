import EventCounts
import Foundation

extension RunCounter {
  /// What a unit of each scenario costs. As many processes at once as there are processors.
  func counts(
    of scenarios: [Scenario],
    _ quantities: [Quantity]
  ) async throws -> [Scenario: Counts] {
    let width = ProcessInfo.processInfo.activeProcessorCount
    let batches = CountedBatch.all(of: scenarios, quantities, width: width)
    let runs = batches.reduce(0) { $0 + $1.runs.count }
    writeToStandardError(
      "\(runs) runs in \(batches.count) processes under \(valgrindVersion), \(width) at once …"
    )
    return EventCounts.counts(
      of: scenarios,
      quantities,
      from: try await totals(batches, width: width)
    )
  }

  private func totals(
    _ batches: [CountedBatch],
    width: Int
  ) async throws -> [CountedRun: [Quantity: Int]] {
    try await withThrowingTaskGroup(of: [CountedRun: [Quantity: Int]].self) { group in
      var result: [CountedRun: [Quantity: Int]] = [:]
      for (index, batch) in batches.enumerated() {
        if index >= width, let totals = try await group.next() {
          result.merge(totals) { $1 }
        }
        group.addTask { try await totals(batch) }
      }
      for try await totals in group { result.merge(totals) { $1 } }
      return result
    }
  }
}
