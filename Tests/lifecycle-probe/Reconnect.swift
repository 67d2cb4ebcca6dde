import ArgumentParser
import LifecycleSources
import ReactiveLifecycle
import TestSupport

/// Connects and disconnects the process's signals, and prints what the process holds before and
/// after, and the dispositions.
struct Reconnect: ParsableCommand {
  @Option(help: "How often each thread connects.")
  var times = 1_000

  @Option(help: "How many threads do that at the same time.")
  var threads = 1

  @Flag(help: "Keeps all connections until the process has printed what it holds.")
  var keeps = false

  func run() throws {
    // What the system's libraries keep from their first use on is not growth.
    try reconnect(times: 20)
    emit(.dispositions(currentDispositions()))
    emit(currentResources())
    var kept: [(NonisolatedLifecycleBus, LifecycleCancellable)] = []
    if keeps {
      for _ in 0..<times {
        let bus = NonisolatedLifecycleBus()
        kept.append((bus, try bus.connect(.processSignals())))
      }
    } else {
      onOtherThreads(threads) { _ in
        do { try reconnect(times: times) } catch { emit(.note("\(error)")) }
      }
    }
    emit(currentResources())
    for (_, connection) in kept { connection.cancel() }
    emit(.dispositions(currentDispositions()))
  }

  private func reconnect(times: Int) throws {
    let bus = NonisolatedLifecycleBus()
    for _ in 0..<times {
      try bus.connect(.processSignals()).cancel()
    }
  }
}
