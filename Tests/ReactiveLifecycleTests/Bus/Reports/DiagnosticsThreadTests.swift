import CustomDump
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Diagnostics beside other threads")
struct DiagnosticsThreadTests {
  private static let rounds = 300

  @Test(
    "Read while sources report: all are there, and every input counts",
    arguments: BusKind.allCases
  )
  func whileSourcesReport(_ kind: BusKind) async throws {
    let bus = kind.make()
    let sources = [FeedSource("first"), FeedSource("second"), FeedSource("third")]
    let connections = try zip(sources, ["first", "second", "third"] as [LifecycleParticipant]).map {
      try bus.connect($0, as: .participant($1))
    }
    let incomplete = Collector<LifecycleDiagnostics>()
    await awaitOtherThreads(sources.count + 1) { thread in
      for round in 0..<Self.rounds {
        if thread < sources.count {
          let kind: LifecycleEvent.Kind =
            round.isMultiple(of: 2) ? .didBecomeActive : .willResignActive
          // The second one has no effect.
          for _ in 1...2 { sources[thread].feed.send(kind) }
        } else {
          let read = bus.diagnostics
          let origins = read.participants.flatMap(\.sources).map(\.origin)
          if origins.count != sources.count || read.suppressedCounts.values.contains(0) {
            incomplete(read)
          }
        }
      }
    }
    expectNoDifference(incomplete.values, [])
    let diagnostics = bus.diagnostics
    expectNoDifference(
      diagnostics.participants.map { "\($0.name) \($0.phase) \($0.sources.map(\.origin))" },
      ["first", "second", "third"].map { "\($0) inactive [source(\($0))]" }
    )
    #expect(diagnostics.suppressedCounts.values.reduce(0, +) >= Self.rounds * sources.count)
    for connection in connections { connection.cancel() }
  }
}
