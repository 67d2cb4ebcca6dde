import BenchmarkSupport
import LifecycleCombine
import ReactiveLifecycle

/// Events from several threads; see ``AtomicCallCounts`` for how their observers count.
func addThreadRows(to program: PeerProgram) {
  program.addSendingFromThreads("passthrough-sink") {
    nonisolated(unsafe) let subject = PassthroughSubject<LifecycleEvent, Never>()
    let calls = AtomicCallCounts(observers: PeerProgram.observersOfThreads)
    let sinks = calls.all.map { slot in subject.sink { _ in slot.increment() } }
    return ThreadedFixture { count in
      send(count, to: subject)
    } check: { expected in
      try withExtendedLifetime(sinks) { try calls.check(expected: expected) }
    }
  }
}
