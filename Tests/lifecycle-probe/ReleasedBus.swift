import ArgumentParser
import Foundation
import LifecycleSources
import ReactiveLifecycle
import TestSupport

/// Has the bus released before its connection is cancelled, with a signal in between, and counts what
/// the handler receives that was there before.
struct ReleasedBus: ParsableCommand {
  @Option var rounds = 50
  @Flag(help: "Sends SIGHUP, which requests a reload.") var reloads = false

  func run() throws {
    let reload: ProcessSignalSource.Signals = reloads ? .hangUp : []
    let signal = reloads ? SIGHUP : SIGTERM
    ReceivedSignals.installHandler(of: signal)
    var sent = 0
    repeat {
      var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus()
      let connection = try bus!.connect(.processSignals(reload: reload, termination: .observe))
      bus = nil
      sent += 1
      kill(getpid(), signal)
      usleep(.random(in: 0..<2_000))
      connection.cancel()
    } while ReceivedSignals.wait(for: sent) && sent < rounds
    emit(.signalCounts(ReceivedSignals.counts(sent: sent)))
  }
}
