import ArgumentParser
import Foundation
import LifecycleSources
import ReactiveLifecycle
import Synchronization
import TestSupport

/// Connects and disconnects the process's signals all the time while SIGTERM comes at random moments,
/// and counts who receives it: a bus, or the handler that the program has installed before.
///
/// A connection gets one signal at most. The next one is sent when the last one was received.
struct ConnectionRace: ParsableCommand {
  @Option var rounds = 500

  @Option(help: "How many threads spin meanwhile.")
  var spinners = 0

  @Option(help: "How long a signal that nobody receives is waited for, in seconds.")
  var patience = 300

  func run() throws {
    ReceivedSignals.installHandler(of: SIGTERM)
    for _ in 0..<spinners { Self.detachThread { while true { _ = ReceivedSignals.total } } }
    let requests = DispatchSemaphore(value: 0)
    Self.detachThread {
      while true {
        requests.wait()
        usleep(.random(in: 0..<2_000))
        kill(getpid(), SIGTERM)
      }
    }
    var sent = 0
    repeat {
      sent += 1
      requests.signal()
      try connect(untilReceived: sent)
    } while ReceivedSignals.total == sent && sent < rounds
    emit(.signalCounts(ReceivedSignals.counts(sent: sent)))
  }

  /// Returns also when time is up.
  private func connect(untilReceived round: Int) throws {
    let deadline = ContinuousClock.now + .seconds(patience)
    // A bus that has accepted an event delivers it a little later.
    var kept: [(NonisolatedLifecycleBus, LifecycleScope)] = []
    repeat {
      let scope = LifecycleScope("race")
      let bus = NonisolatedLifecycleBus()
      bus.addObserver(in: scope) { event in
        guard event.kind == .willTerminate else { return }
        ReceivedSignals.byBus.add(1, ordering: .sequentiallyConsistent)
      }
      let connection = try bus.connect(.processSignals(termination: .observe))
      connection.cancel()
      kept.append((bus, scope))
    } while ReceivedSignals.total < round && ContinuousClock.now < deadline
    withExtendedLifetime(kept) {}
  }

  /// Starts a thread that gets no signal.
  private static func detachThread(_ body: @escaping @Sendable () -> Void) {
    var (all, previous) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    Thread.detachNewThread(body)
    pthread_sigmask(SIG_SETMASK, &previous, nil)
  }
}
