import ArgumentParser
import Foundation
import LifecycleSources
import ReactiveLifecycle
import TestSupport

/// Has an observer of the end cancel the connection that announced it, and then receives another
/// SIGTERM, which the handler gets that was there before.
struct LeavingObserver: ParsableCommand {
  @Option var rounds = 50

  func run() throws {
    ReceivedSignals.installHandler(of: SIGTERM)
    var sent = 0
    var isReceived = true
    while isReceived, sent < rounds {
      let (bus, scope) = (NonisolatedLifecycleBus(), LifecycleScope("leaving"))
      let connection = try bus.connect(.processSignals(termination: .observe))
      bus.addObserver(for: .willTerminate, in: scope) { _ in
        connection.cancel()
        kill(getpid(), SIGTERM)
      }
      sent += 1
      kill(getpid(), SIGTERM)
      withExtendedLifetime((bus, scope)) { isReceived = ReceivedSignals.wait(for: sent) }
    }
    emit(.signalCounts(ReceivedSignals.counts(sent: sent)))
  }
}
