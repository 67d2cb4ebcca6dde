import ArgumentParser
import Foundation
import LifecycleSources
import ReactiveLifecycle
import TestSupport

/// Has the bus released before its connection is cancelled, with SIGTERM in between, and counts what
/// the handler receives that was there before.
struct ReleasedBus: ParsableCommand {
  @Option var rounds = 50

  func run() throws {
    ReceivedSignals.installHandler(of: SIGTERM)
    var sent = 0
    repeat {
      var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus()
      let connection = try bus!.connect(.processSignals(termination: .observe))
      bus = nil
      sent += 1
      kill(getpid(), SIGTERM)
      usleep(.random(in: 0..<2_000))
      connection.cancel()
    } while eventually { ReceivedSignals.total >= sent } && ReceivedSignals.total == sent
      && sent < rounds
    emit(.signalCounts(ReceivedSignals.counts(sent: sent)))
  }
}
