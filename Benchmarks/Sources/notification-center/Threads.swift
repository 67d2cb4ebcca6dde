import BenchmarkSupport
import Foundation

/// Events from several threads; see ``AtomicCallCounts`` for how their observers count.
func addThreadRows(to program: PeerProgram) {
  program.addSendingFromThreads("blocks") {
    let center = NotificationCenter()
    let calls = AtomicCallCounts(observers: PeerProgram.observersOfThreads)
    let tokens = calls.all.map { slot in
      center.addObserver(forName: .sample, object: nil, queue: nil) { _ in slot.increment() }
    }
    return ThreadedFixture { count in
      post(count, to: center)
    } check: { expected in
      try withExtendedLifetime(tokens) { try calls.check(expected: expected) }
    }
  }
}
