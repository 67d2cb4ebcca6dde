import EventCounts
import Testing

@Suite("What valgrind prints")
struct ValgrindToolTests {
  @Test("Callgrind's instructions are read")
  func callgrind() {
    let log = """
      ==16421== Events    : Ir
      ==16421== Collected : 49522112
      ==16421== I   refs:      49,522,112
      """
    #expect(ValgrindTool.callgrind.totals(in: log) == [.instructions: 49_522_112])
  }

  @Test("All blocks, and the bytes that are alive at the end, are read")
  func dhat() {
    let log = """
      ==8012== Total:     198,275 bytes in 1,349 blocks
      ==8012== At t-gmax: 185,896 bytes in 711 blocks
      ==8012== At t-end:  1,381 bytes in 13 blocks
      """
    #expect(ValgrindTool.dhat.totals(in: log) == [.allocations: 1_349, .bytes: 1_381])
  }

  @Test("A log that ends early has no totals", arguments: ValgrindTool.allCases)
  func noTotals(tool: ValgrindTool) {
    #expect(tool.totals(in: "==8012== Total:     198,275 bytes in") == nil)
  }
}
