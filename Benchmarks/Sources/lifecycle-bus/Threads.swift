import BenchmarkSupport
import ReactiveLifecycle

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
