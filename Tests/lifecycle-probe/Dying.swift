import ArgumentParser
import Foundation
import LifecycleJournaling
import LifecycleSources
import ReactiveLifecycle

/// Opens a journal on a bus of process signals, becomes active, and dies in the way that is named.
struct Dying: ParsableCommand {
  @Argument var path: String
  @Argument var way: String

  func run() throws {
    // SIGTSTP does not stop an orphaned process group. That of the tests may be one.
    setpgid(0, 0)
    let bus = NonisolatedLifecycleBus()
    let connection = try bus.connect(.processSignals())
    let journal = try LifecycleJournal(at: path, of: bus)
    bus.send(.didBecomeActive)
    FileHandle.standardOutput.write(Data("active\n".utf8))
    switch way {
    case "return": break
    case "exit": Foundation.exit(0)
    case "abort": abort()
    case "end": journal.end()
    case "background":
      bus.send(.didEnterBackground)
      kill(getpid(), SIGKILL)
    case "SIGSEGV":
      signal(SIGSEGV, SIG_DFL)
      die(by: SIGSEGV)
    case "SIGKILL": die(by: SIGKILL)
    case "SIGTERM": die(by: SIGTERM)
    case "SIGHUP": die(by: SIGHUP)
    case "SIGSTOP": die(by: SIGSTOP)
    default: die(by: SIGTSTP)
    }
    withExtendedLifetime((connection, journal)) {}
  }

  private func die(by signal: CInt) {
    kill(getpid(), signal)
    while true { sleep(1_000) }
  }
}
