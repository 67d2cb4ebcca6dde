import CLifecycleShims
import LifecycleSupport

/// The signals that the engine has taken, with the dispositions to restore.
///
/// A connection that joins may add signals, and none is given back before the engine is removed.
final class TakenSignals: Sendable {
  private struct State {
    var signals: ProcessSignalSource.Signals = []
    /// The dispositions of the signals of job control, which have a dedicated handler.
    var jobControl: [SignalDisposition] = []
    var ends: [DispatchSignals] = []
  }

  private let state = Locked(State())
  private let terminal: Int32

  init(terminal: ControllingTerminal) {
    self.terminal = terminal.descriptor ?? -1
  }

  /// The signals whose handlers are installed: those that are taken and not ignored.
  var installed: Set<JobControlSignal> {
    state.withLock { Set($0.jobControl.map(\.signal) + $0.ends.flatMap(\.signals)) }
  }

  /// Takes signals in addition to those that are taken already.
  ///
  /// One thread at a time may call this method, and none during `restore`.
  func take(_ signals: ProcessSignalSource.Signals) throws {
    let missing = state.withLock { signals.subtracting($0.signals) }
    if missing.contains(.jobControl) {
      let replaced = try Self.replaceJobControl()
      state.withLock { state in
        state.signals.insert(.jobControl)
        state.jobControl = replaced
      }
    }
    let missingEnds = missing.subtracting(.jobControl)
    guard !missingEnds.isEmpty else { return }
    // Before the first signal that may end the process.
    if state.withLock({ $0.ends.isEmpty }) { setTerminalStops(LIFECYCLE_TERMINAL_STOPS_GUARDED) }
    let ends = try DispatchSignals(missingEnds)
    state.withLock { state in
      state.signals.formUnion(missingEnds)
      state.ends.append(ends)
    }
  }

  /// Restores the previous dispositions where the handlers are still in place.
  func restore() {
    let taken = state.withLock { $0 }
    Self.restore(taken.jobControl)
    for ends in taken.ends { ends.cancel() }
    setTerminalStops(LIFECYCLE_TERMINAL_STOPS_STANDARD)
    Self.ignoreBrokenPipes(false)
  }

  /// Gives no effect to what would keep the process from ending in order, or its effect again: the
  /// stops by the terminal, `SIGTTIN` and `SIGTTOU`, and the death by `SIGPIPE`.
  func protectEnd(_ isProtected: Bool) {
    let guarded = LIFECYCLE_TERMINAL_STOPS_GUARDED
    setTerminalStops(isProtected ? LIFECYCLE_TERMINAL_STOPS_IGNORED : guarded)
    Self.ignoreBrokenPipes(isProtected)
  }

  /// Replaces the default action of `SIGPIPE` by a handler, which programs that are started inherit
  /// no more than a child by fork(2), or restores it.
  ///
  /// The reader of a pipe that Ctrl-C ends, too, may be gone first.
  private static func ignoreBrokenPipes(_ ignores: Bool) {
    let idle = SignalDisposition.Handler.idle.number
    var (current, standard) = (sigaction(), sigaction())  // all zero: the default action
    sigaction(SIGPIPE, nil, &current)
    switch UInt(lifecycle_handler(&current)) {
    case 0 where ignores:
      lifecycle_keep_for_child(SIGPIPE, &standard, idle)
      lifecycle_install(SIGPIPE, false)
    case idle where !ignores:
      sigaction(SIGPIPE, &standard, nil)
      lifecycle_forget_for_child(SIGPIPE)
    default: break
    }
  }

  /// An ignored `SIGTSTP` stays ignored: it never stops the process.
  private static func replaceJobControl() throws -> [SignalDisposition] {
    var replaced: [SignalDisposition] = []
    for signal in [JobControlSignal.stop, .continue] {
      if signal == .stop, SignalDisposition(current: signal).isIgnored { continue }
      do {
        replaced.append(try SignalDisposition.replace(signal, by: .posting))
      } catch {
        restore(replaced)
        throw error
      }
    }
    return replaced
  }

  private static func restore(_ replaced: [SignalDisposition]) {
    for disposition in replaced {
      disposition.restore(ifStill: SignalDisposition.Handler.posting.number)
    }
  }

  private func setTerminalStops(_ stops: lifecycle_terminal_stops) {
    lifecycle_set_terminal_stops(stops, terminal)
  }
}
