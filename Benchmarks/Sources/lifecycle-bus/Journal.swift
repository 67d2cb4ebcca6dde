import BenchmarkSupport

/// Transitions recorded in a file.
func addJournalRows(to program: PeerProgram) {
  for size in BenchmarkOperation.record.sizes {
    program.add("journal", .record, size: size, operations: 2) {
      let bus = RecordingBus(keeping: size)
      return Fixture(keeping: bus) { count in
        for _ in 0..<count { bus.move() }
      } check: { operations in
        try bus.check(moves: operations)
      }
    }
  }
}
