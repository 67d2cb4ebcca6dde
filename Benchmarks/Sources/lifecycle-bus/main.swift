import BenchmarkSupport
import LifecycleCore

let program = PeerProgram("lifecycle-bus")
addClosureRows(to: program)
addStreamRows(to: program)
addSubscribingRows(to: program)
addThreadRows(to: program)
addCountdownRows(to: program)
addJournalRows(to: program)
program.run()

/// Events from several threads.
func addThreadRows(to program: PeerProgram) {
  program.addSendingFromThreads("token-nonisolated") {
    let bus = NonisolatedLifecycleBus()
    // No atomics: the bus delivers one event at a time, whichever thread does it, and by the time
    // that all threads have sent theirs, all have been delivered.
    let calls = CallCounts(observers: PeerProgram.observersOfThreads)
    let tokens = calls.all.map { slot in bus.addObserver { _ in slot.increment() } }
    return ThreadedFixture { count in
      send(count, to: bus)
    } check: { expected in
      try withExtendedLifetime(tokens) { try calls.check(expected: expected) }
    }
  }
}

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
