import ArgumentParser
import Dispatch
import Foundation
import LifecycleSources
import LifecycleTerminal
import ReactiveLifecycle
import TestSupport

/// Has a terminal session, and prints its input and the events of a bus, until it is killed, or a
/// key ends it.
///
/// SIGUSR1 asks for a sign of life.
struct Terminal: ParsableCommand {
  enum Keys: String, ExpressibleByArgument {
    case all, suspend, none

    var signalKeys: TerminalSession.SignalKeys {
      switch self {
      case .all: .all
      case .suspend: .suspend
      case .none: []
      }
    }
  }

  @Option(help: "The keys that send signals. By default those of the session.")
  var signalKeys: Keys?

  @Flag(help: "Connects the signals by the session alone, not to the bus.")
  var unconnected = false

  @Flag(help: "Does not read the input.")
  var deaf = false

  func run() throws {
    let bus = NonisolatedLifecycleBus()
    let scope = LifecycleScope("probe")
    bus.addObserver(in: scope) { event in emit(.event(event)) }
    let signals =
      unconnected ? nil : try bus.connect(.processSignals(deadline: .seconds(3_600)))
    if unconnected { bus.send(.didBecomeActive) }

    let ended = DispatchSemaphore(value: 0)
    let user = TerminalUser(bus, signalKeys?.signalKeys, ended)
    bus.addObserver(for: .willEnterForeground, in: scope) { _ in user.showPossession() }
    bus.addObserver(for: .didEnterBackground, in: scope) { _ in user.showPossession() }
    let life = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
    life.setEventHandler { emit(.pong) }
    life.activate()

    try user.open(reads: !deaf)
    emit(.note("process \(getpid())"))
    emit(.ready)
    ended.wait()
    withExtendedLifetime((scope, signals, life)) {}
  }
}
