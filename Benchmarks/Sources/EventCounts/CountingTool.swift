/// What counts during a run.
package enum CountingTool: String, CaseIterable, Sendable {
  /// Valgrind's tools.
  case callgrind, dhat
  /// The dynamic linker, which lists the shared libraries that it loads.
  case linker
  /// The kernel, which knows the memory of a process.
  case kernel

  /// The totals of each process that ended, read from the tool's report.
  package func totals(in log: String) -> [[Quantity: Int]] {
    switch self {
    case .callgrind:
      return log.matches(of: #/Collected : (\d+)/#).map { [.instructions: Self.integer($0.1)] }
    case .dhat:
      return zip(
        log.matches(of: #/Total: +[\d,]+ bytes in ([\d,]+) blocks/#),
        log.matches(of: #/At t-end: +([\d,]+) bytes/#)
      ).map { [.allocations: Self.integer($0.1), .bytes: Self.integer($1.1)] }
    case .linker:
      // The dynamic linker itself counts, the page that the kernel maps (linux-vdso) does not.
      let libraries = log.matches(of: #/\/\S+ \(0x/#).count
      return libraries == 0 ? [] : [[.libraries: libraries]]
    case .kernel:
      return log.matches(of: #/VmHWM:\s+(\d+) kB/#).map { [.memory: Self.integer($0.1) * 1_024] }
    }
  }

  private static func integer(_ digits: Substring) -> Int {
    digits.compactMap(\.wholeNumberValue).reduce(0) { $0 * 10 + $1 }
  }
}
