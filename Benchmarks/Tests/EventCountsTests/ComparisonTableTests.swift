import EventCounts
import Testing

@Suite("The table of counts")
struct ComparisonTableTests {
  @Test("Numbers stand under each other, remarks at the end")
  func columns() {
    let table = ComparisonTable([
      Comparison(.event1Closure, .instructions, saved: 5_000, now: 5_150.5),
      Comparison(.event1Closure, .allocations, saved: 0, now: 0.002),
      Comparison(.liveToken, .bytes, saved: 208, now: 208),
    ])
    #expect(
      table.description == """
        scenario                       saved     now  difference  limit
        event-1-closure  instructions   5000  5150.5     +3.01 %         REGRESSED
        event-1-closure  allocations       0   0.002      +0.002      0  REGRESSED, OVER LIMIT
        live-token       bytes           208     208                200  OVER LIMIT
        """
    )
  }
}
