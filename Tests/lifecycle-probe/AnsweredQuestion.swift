import ArgumentParser
import Foundation
import LifecycleSources
import ReactiveLifecycle
import TestSupport

/// Has an observer cancel a SIGTERM, disconnects, and prints whether the bus is released then.
struct AnsweredQuestion: ParsableCommand {
  @Option var bus = Observe.BusKind.nonisolated

  func run() throws {
    try MainActor.assumeIsolated { try start() }
    dispatchMain()
  }

  @MainActor private func start() throws {
    switch bus {
    case .main: try cancelEnd(of: LifecycleBus())
    case .nonisolated: try cancelEnd(of: NonisolatedLifecycleBus())
    }
  }

  @MainActor private func cancelEnd(of bus: some LifecycleBusProtocol) throws {
    let scope = LifecycleScope("question")
    let (asked, asks) = AsyncStream.makeStream(of: Void.self)
    bus.onExitRequest(in: scope) { _ in
      asks.yield()
      return .cancel
    }
    let connection = try bus.connect(
      .processSignals(termination: .reraise.asking(within: .seconds(3600)))
    )
    let core = Weak(bus.core)
    kill(getpid(), SIGTERM)
    let answered = Task {
      for await _ in asked { break }
      // Shares the answer, or comes after it. Until then, the bus is kept.
      _ = await bus.requestExit()
    }
    Task {
      await answered.value
      connection.cancel()
      scope.end()
      await reportRelease(of: core)
    }
  }

  private func reportRelease(of core: Weak<LifecycleBusCore>) async {
    emit(.note(await eventually { !core.isAlive } ? "released" : "alive"))
    Foundation.exit(0)
  }
}
