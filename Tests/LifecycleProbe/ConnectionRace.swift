import ArgumentParser
import Foundation
import LifecycleSources
import ProcessTestSupport
import ReactiveLifecycle
import Synchronization

/// Connects and disconnects the process' signals all the time while SIGTERM comes at random moments,
/// and counts who receives it: a bus, or the handler that the program has installed before.
///
/// A connection gets one signal at most. The next one is sent when the last one was received.
struct ConnectionRace: ParsableCommand {
  @Option var rounds = 500

  @Option(help: "How many threads spin meanwhile.")
  var spinners = 0

  @Option(help: "How long a signal that nobody receives is waited for, in seconds.")
  var patience = 20

  func run() throws {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      Received.byHandler.add(1, ordering: .sequentiallyConsistent)
    }
    action.sa_flags = CInt(SA_RESTART)
    sigaction(SIGTERM, &action, nil)
    for _ in 0..<spinners { Self.detachThread { while true { _ = Received.total } } }
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
    } while Received.total == sent && sent < rounds
    let counts = ConnectionRaceCounts(
      sent: sent,
      byBus: Received.byBus.load(ordering: .sequentiallyConsistent),
      byHandler: Received.byHandler.load(ordering: .sequentiallyConsistent)
    )
    emit(.connectionRace(counts))
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
        Received.byBus.add(1, ordering: .sequentiallyConsistent)
      }
      let connection = try bus.connect(.processSignals(termination: .observe))
      connection.cancel()
      kept.append((bus, scope))
    } while Received.total < round && ContinuousClock.now < deadline
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

/// How often SIGTERM was received.
private enum Received {
  static let byBus = Atomic(0)
  static let byHandler = Atomic(0)

  static var total: Int {
    byBus.load(ordering: .sequentiallyConsistent)
      + byHandler.load(ordering: .sequentiallyConsistent)
  }
}
