import ArgumentParser
import Dispatch
import Foundation
import LifecycleCore
import LifecycleProcess
import LifecycleTerminal
import TestSupport

/// Has a terminal session, and prints its input and the events of a bus, until it is killed, or a
/// key ends it.
///
/// SIGUSR1 asks for a sign of life. SIGUSR2 cancels the tasks that read, and begins to read again.
struct Terminal: ParsableCommand {
  enum Keys: String, ExpressibleByArgument {
    case suspend, none

    var signalKeys: TerminalSession.SignalKeys {
      switch self {
      case .suspend: .suspend
      case .none: []
      }
    }
  }

  @Option(help: "The keys that send signals. By default those of the session.")
  var signalKeys: Keys?

  @Flag(help: "Connects the signals by the session alone, not to the bus.")
  var unconnected = false

  @Option(help: "The number of tasks that read the input.")
  var readers = 1

  @Flag(help: "Keeps the input of the session alone.")
  var inputOnly = false

  @Flag(help: "Suspends the output of the terminal before the session is opened, as Ctrl-S does.")
  var suspendsOutput = false

  @Flag(help: "An observer of `willResignActive` never returns.")
  var hangs = false

  func run() throws {
    let bus = NonisolatedLifecycleBus()
    let scope = LifecycleScope("probe")
    if hangs {
      bus.addObserver(for: .willResignActive, in: scope) { _ in while true { sleep(1_000) } }
    }
    bus.addObserver(in: scope) { event in emit(.event(event)) }
    let signals =
      unconnected ? nil : try bus.connect(.processSignals(deadline: .seconds(3_600)))
    if unconnected { bus.send(.didBecomeActive) }

    if suspendsOutput { suspendOutput() }
    let ended = DispatchSemaphore(value: 0)
    let user = TerminalUser(bus, signalKeys?.signalKeys, ended)
    bus.addObserver(for: .willEnterForeground, in: scope) { _ in user.showPossession() }
    bus.addObserver(for: [.didEnterBackground, .willTerminate], in: scope) { _ in
      user.showPossession()
    }
    bus.addObserver(for: .didEnterBackground, in: scope) { _ in user.awaitSuspension() }
    let sources = [
      makeSource(SIGUSR1) { emit(.pong) }, makeSource(SIGUSR2) { user.readAgain() },
    ]

    try user.open(readers: readers, keeps: !inputOnly)
    emit(.note("process \(getpid())"))
    emit(.ready)
    ended.wait()
    withExtendedLifetime((scope, signals, sources)) {}
  }

  private func suspendOutput() {
    let terminal = Foundation.open("/dev/tty", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(terminal) }
    tcflow(terminal, TCOOFF)
    emit(.note("writing: \(write(terminal, ".", 1)), \(errno)"))
  }
}

/// Does with the terminal what a session does, as if it had found the process in the foreground.
struct BackgroundTerminal: ParsableCommand {
  func run() throws {
    let device = try TerminalDevice()
    guard let settings = device.settings() else { throw ExitCode(2) }
    device.apply(settings)
    device.send("\u{1B}[?1004l")
    if case .bytes = device.receive() { throw ExitCode(3) }
    emit(.note("done"))
    device.close()
  }
}
