import EventCounts
import Testing

@Suite("Comparison with the saved counts")
struct ComparisonTests {
  @Test(
    "Instructions may differ by two in a hundred",
    arguments: [
      (97.9, Comparison.Verdict.improved), (98, .same), (102, .same), (102.1, .regressed),
    ]
  )
  func instructions(now: Double, verdict: Comparison.Verdict) {
    let comparison = Comparison(.event1Closure, .instructions, saved: 100, now: now)
    #expect(comparison.verdict == verdict)
    #expect(comparison.fails == (verdict == .regressed))
  }

  @Test("One allocation more in a run is a regression")
  func allocation() {
    let count = Scenario.subscribeToken.count
    let saved = unitCost(1_000, ofTwice: 1_000 + 3 * count, count: count)
    let now = unitCost(1_000, ofTwice: 1_000 + 3 * count + 1, count: count)
    #expect(Comparison(.subscribeToken, .allocations, saved: saved, now: now).fails)
    #expect(!Comparison(.subscribeToken, .allocations, saved: saved, now: saved).fails)
    #expect(!Comparison(.subscribeToken, .allocations, saved: now, now: saved).fails)
  }

  @Test("One byte more in a run is a regression")
  func byte() {
    let count = Scenario.liveOwner.count
    let now = unitCost(0, ofTwice: 100 * count + 1, count: count)
    #expect(Comparison(.liveOwner, .bytes, saved: 100, now: now).fails)
  }

  @Test("A limit holds whatever was saved")
  func limit() {
    #expect(Comparison(.event100Sinks, .allocations, saved: 1, now: 1).fails)
    #expect(Comparison(.liveSink, .bytes, saved: 526, now: 526).fails)
    #expect(!Comparison(.liveSink, .bytes, saved: 525, now: 525).fails)
    #expect(!Comparison(.suppressedInput100Closures, .allocations, saved: 1, now: 1).fails)
  }

  @Test("What was not saved fails, and the table says so")
  func unsaved() {
    let found = comparisons([.liveOwner: [.bytes: 12]], with: Thresholds(toolchain: [:]))
    #expect(found == [Comparison(.liveOwner, .bytes, saved: nil, now: 12)])
    #expect(found.allSatisfy { $0.fails })
    #expect(ComparisonTable(found).description.contains("NOT SAVED"))
  }
}
