import ArgumentParser
import Foundation
import LifecycleSources
import ProcessTestSupport
import ReactiveLifecycle
import Synchronization

/// Has the bus released before its connection is cancelled, with SIGTERM in between, and counts what
/// the handler receives that was there before.
struct ReleasedBus: ParsableCommand {
  @Option var rounds = 50

  func run() throws {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      HandledSignals.count.add(1, ordering: .sequentiallyConsistent)
    }
    action.sa_flags = CInt(SA_RESTART)
    sigaction(SIGTERM, &action, nil)
    var sent = 0
    repeat {
      var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus()
      let connection = try bus!.connect(.processSignals(termination: .observe))
      bus = nil
      sent += 1
      kill(getpid(), SIGTERM)
      usleep(.random(in: 0..<2_000))
      connection.cancel()
      let deadline = ContinuousClock.now + .seconds(20)
      while HandledSignals.total < sent, ContinuousClock.now < deadline { usleep(100) }
    } while HandledSignals.total == sent && sent < rounds
    let counts = ConnectionRaceCounts(sent: sent, byBus: 0, byHandler: HandledSignals.total)
    emit(.connectionRace(counts))
  }
}

/// Installs a handler that also calls the one it replaces, the library's, and keeps it when the library
/// has gone, as a crash reporter does.
struct ChainedHandler: ParsableCommand {
  func run() throws {
    let bus = NonisolatedLifecycleBus()
    let connection = try bus.connect(.processSignals(termination: .observe))
    var former = sigaction()
    sigaction(SIGTSTP, nil, &former)
    HandledSignals.former = former.__sigaction_handler.sa_sigaction
    var action = former
    action.__sigaction_handler.sa_sigaction = { signal, info, context in
      HandledSignals.count.add(1, ordering: .sequentiallyConsistent)
      HandledSignals.former?(signal, info, context)
    }
    sigaction(SIGTSTP, &action, nil)
    connection.cancel()
    kill(getpid(), SIGTSTP)
    emit(.connectionRace(ConnectionRaceCounts(sent: 1, byBus: 0, byHandler: HandledSignals.total)))
  }
}

private enum HandledSignals {
  static let count = Atomic(0)

  static var total: Int { count.load(ordering: .sequentiallyConsistent) }

  /// Written before the handler that reads it is installed.
  nonisolated(unsafe) static var former:
    (@convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void)?
}
