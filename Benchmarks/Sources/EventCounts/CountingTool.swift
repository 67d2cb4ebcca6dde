/// What counts during a run.
package enum CountingTool: String, CaseIterable, Sendable {
  /// Valgrind's tools.
  case callgrind, dhat
  /// The dynamic linker, which lists the shared libraries that it loads.
  case linker
  /// The kernel, which knows the memory of a process.
  case kernel

  /// The totals of a run, read from the tool's report; nil if a total is missing.
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
    case .linker:
      // The dynamic linker itself counts, the page that the kernel maps (linux-vdso) does not.
      let libraries = log.matches(of: #/\/\S+ \(0x/#).count
      return libraries == 0 ? nil : [.libraries: libraries]
    case .kernel:
      guard let match = log.firstMatch(of: #/VmHWM:\s+(\d+) kB/#) else { return nil }
      return Int(match.1).map { [.memory: $0 * 1_024] }
    }
  }

  private static func integer(_ text: Substring) -> Int? {
    Int(text.filter { $0 != "," })
  }
}
