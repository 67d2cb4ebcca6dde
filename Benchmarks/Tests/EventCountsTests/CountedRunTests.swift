import EventCounts
import Testing

@Suite("Runs and what follows from them")
struct CountedRunTests {
  @Test("The cost is the difference between N and 2N, what both share cancels out")
  func difference() {
    let scenario = Scenario.subscribeToken
    let totals = Dictionary(
      uniqueKeysWithValues: CountedRun.all(of: scenario, Quantity.allCases).joined().map { run in
        (run, [run.tool == .dhat ? Quantity.allocations : .instructions: 1_349 + 3 * run.count])
      }
    )
    #expect(totals.count == 4)
    #expect(
      counts(of: [scenario], Quantity.allCases, from: totals)
        == [scenario: [.instructions: 3, .allocations: 3]]
    )
  }

  @Test("What is not asked for is not run")
  func selection() {
    let runs = CountedRun.all(of: .event1Closure, [.allocations, .bytes])
    #expect(runs.map { $0.map(\.tool) } == [[.dhat, .dhat]])
    #expect(CountedRun.all(of: .liveSink, [.instructions]).isEmpty)
  }

  @Test("A launch is counted whole")
  func launch() {
    let batches = CountedBatch.all(of: [.launch], Quantity.allCases, width: 2)
    #expect(batches.allSatisfy { $0.arguments.isEmpty && $0.options.isEmpty })
    let runs = batches.flatMap(\.runs)
    #expect(runs.map(\.tool) == [.callgrind, .linker, .kernel])
    let found: [CountingTool: [Quantity: Int]] = [
      .callgrind: [.instructions: 7], .linker: [.libraries: 21], .kernel: [.memory: 4_096],
    ]
    let totals = Dictionary(uniqueKeysWithValues: runs.map { ($0, found[$0.tool] ?? [:]) })
    #expect(
      counts(of: [.launch], Quantity.allCases, from: totals)
        == [.launch: [.instructions: 7, .libraries: 21, .memory: 4_096]]
    )
  }
}
