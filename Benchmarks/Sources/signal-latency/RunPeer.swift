import ArgumentParser
import CSignalPeers
import Dispatch
import Glibc
import LifecycleSources
import ReactiveLifecycle

/// Runs as a child until it is killed.
struct RunPeer: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "run-peer", shouldDisplay: false)

  @Argument var peer: Peer
  @Argument(help: "The FIFO that the parent reads.") var path: String

  func run() throws {
    let pipe = open(path, O_WRONLY | O_CLOEXEC)
    guard pipe >= 0 else { throw LatencyError.system("open \(path)", errno) }
    switch peer {
    case .bareHandler:
      signal_run_bare_handler(pipe)
      throw LatencyError.system("the bare handler", errno)
    case .wakingHandler:
      signal_run_waking_handler(pipe)
      throw LatencyError.system("the handler that wakes a thread", errno)
    case .nonisolatedBus: try runNonisolatedBus(pipe)
    case .mainActorBus: try MainActor.assumeIsolated { try runMainActorBus(pipe) }
    }
  }

  private func runNonisolatedBus(_ pipe: CInt) throws {
    let bus = NonisolatedLifecycleBus()
    let tokens = [
      bus.addObserver(for: [.willResignActive]) { _ in report("r", to: pipe) },
      bus.addObserver(for: [.didBecomeActive]) { _ in report("a", to: pipe) },
    ]
    let connection = try bus.connect(.processSignals())
    keep([bus, connection] + tokens)
    dispatchMain()
  }

  @MainActor private func runMainActorBus(_ pipe: CInt) throws {
    let bus = LifecycleBus()
    let scope = LifecycleScope("signal-latency")
    bus.addObserver(for: [.willResignActive], in: scope) { _ in report("r", to: pipe) }
    bus.addObserver(for: [.didBecomeActive], in: scope) { _ in report("a", to: pipe) }
    let connection = try bus.connect(.processSignals())
    keep([bus, scope, connection])
    dispatchMain()
  }
}

private func report(_ kind: Unicode.Scalar, to pipe: CInt) {
  guard signal_record_write(pipe, CChar(kind.value)) == 0 else { _exit(74) }
}

/// `withExtendedLifetime` does not reach over a call that never returns: the optimiser releases
/// what nobody can use after it.
private func keep(_ objects: [AnyObject]) {
  for object in objects { _ = Unmanaged.passRetained(object) }
}
