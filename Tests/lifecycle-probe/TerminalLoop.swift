import ArgumentParser
import Dispatch
import Foundation
import LifecycleCore
import LifecycleProcess
import LifecycleSupport
import LifecycleTerminal
import TestSupport

/// Runs a loop over the input of a terminal session, and exits with 0 after it, as a `main` that
/// returns does. SIGUSR1 asks for `exit(3)` on another thread.
struct TerminalLoop: ParsableCommand {
  @Flag(
    help: "Another thread holds the lock of standard output, which delays the signal at the end."
  )
  var delaysEnd = false

  func run() throws {
    // Called after that of the session.
    atexit { usleep(300_000) }
    let (bus, scope) = (NonisolatedLifecycleBus(), LifecycleScope("loop"))
    bus.addObserver(for: .willTerminate, in: scope) { event in emit(.event(event)) }
    let connection = try bus.connect(.processSignals(deadline: .seconds(3_600)))
    let source = makeSource(SIGUSR1) { Foundation.exit(3) }
    if delaysEnd { HeldLock.ofOutput() }
    let terminal = try TerminalSession()
    emit(.note("process \(getpid())"))
    emit(.ready)
    Task {
      for await bytes in terminal.input where bytes.contains(UInt8(ascii: "q")) { break }
      emit(.note("the loop ended"))
      withExtendedLifetime((bus, scope, connection, source)) { _exit(0) }
    }
    dispatchMain()
  }
}

/// Creates a terminal session at a moment at which it is too late for that.
struct LateSession: ParsableCommand {
  enum Moment: String, ExpressibleByArgument {
    /// The other watches were called before a stop.
    case stop
    /// The other watches were called before the end.
    case end
    /// The handlers that `exit` calls for a session have run. SIGUSR1 asks for that.
    case exit
  }

  @Option var moment: Moment

  func run() throws {
    if moment == .exit { atexit { LateSession.create() } }
    let bus = NonisolatedLifecycleBus()
    let connection = try bus.connect(.processSignals(deadline: .seconds(3_600)))
    let watch = HoldingWatch(moment)
    try ProcessThread.add(watch)
    if moment == .exit { try TerminalSession().close() }
    let source = makeSource(SIGUSR1) { Foundation.exit(3) }
    emit(.note("process \(getpid())"))
    emit(.ready)
    watch.hasBegun.wait()
    LateSession.create()
    watch.mayGoOn.signal()
    withExtendedLifetime((bus, connection, source)) { while true { sleep(1_000) } }
  }

  private static let created = Locked<TerminalSession?>(nil)

  private static func create() {
    do {
      let session = try TerminalSession()
      emit(.note("has terminal: \(session.hasTerminal)"))
      created.withLock { $0 = session }
    } catch {
      emit(.note("\(error)"))
    }
  }
}

/// Holds up the thread of the process at a moment, until a session was created.
private final class HoldingWatch: ProcessWatch {
  let hasBegun = DispatchSemaphore(value: 0)
  let mayGoOn = DispatchSemaphore(value: 0)
  private let moment: LateSession.Moment

  init(_ moment: LateSession.Moment) {
    self.moment = moment
  }

  var interest: ProcessWatchInterest { ProcessWatchInterest() }

  func handle(_ moment: ProcessWatchMoment) {
    switch (self.moment, moment) {
    case (.stop, .willStop), (.end, .willEnd):
      hasBegun.signal()
      mayGoOn.wait()
    default: break
    }
  }
}

/// Sends itself a signal while a terminal session starts.
struct StartingSession: ParsableCommand {
  @Option var signal: CInt
  @Option(help: "The time from just before the start until the signal, in microseconds.")
  var delay: Int

  func run() throws {
    let begins = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      begins.wait()
      let end = ContinuousClock.now + .microseconds(delay)
      while ContinuousClock.now < end {}
      kill(getpid(), signal)
    }
    usleep(1_000)
    begins.signal()
    let session = try TerminalSession()
    withExtendedLifetime(session) { while true { sleep(1_000) } }
  }
}
