/// A tool of valgrind.
package enum ValgrindTool: String, CaseIterable, Sendable {
  case callgrind
  case dhat

  /// The totals of a run, read from what valgrind wrote to standard error; nil if a total is missing.
  package func totals(in log: String) -> [Quantity: Int]? {
    switch self {
    case .callgrind:
      guard let match = log.firstMatch(of: #/Collected : (\d+)/#) else { return nil }
      return Int(match.1).map { [.instructions: $0] }
    case .dhat:
      guard
        let total = log.firstMatch(of: #/Total: +[\d,]+ bytes in ([\d,]+) blocks/#),
        let end = log.firstMatch(of: #/At t-end: +([\d,]+) bytes/#),
        let blocks = Self.integer(total.1),
        let bytes = Self.integer(end.1)
      else { return nil }
      return [.allocations: blocks, .bytes: bytes]
    }
  }

  private static func integer(_ text: Substring) -> Int? {
    Int(text.filter { $0 != "," })
  }
}
