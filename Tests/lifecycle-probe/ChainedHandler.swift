import ArgumentParser
import Foundation
import LifecycleSources
import ReactiveLifecycle
import Synchronization
import TestSupport

/// Installs a handler that also calls the one it replaces, the library's, and keeps it when the library
/// has gone, as a crash reporter does.
struct ChainedHandler: ParsableCommand {
  /// Written before the handler that reads it is installed.
  nonisolated(unsafe) private static var former:
    (@convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void)?

  func run() throws {
    let bus = NonisolatedLifecycleBus()
    let connection = try bus.connect(.processSignals(termination: .observe))
    var former = sigaction()
    sigaction(SIGTSTP, nil, &former)
    ChainedHandler.former = former.__sigaction_handler.sa_sigaction
    var action = former
    action.__sigaction_handler.sa_sigaction = { signal, info, context in
      ReceivedSignals.byHandler.add(1, ordering: .sequentiallyConsistent)
      ChainedHandler.former?(signal, info, context)
    }
    sigaction(SIGTSTP, &action, nil)
    connection.cancel()
    kill(getpid(), SIGTSTP)
    emit(.signalCounts(ReceivedSignals.counts(sent: 1)))
  }
}
