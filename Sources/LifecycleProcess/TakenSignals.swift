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
  var installed: [JobControlSignal] {
    state.withLock { $0.jobControl.map(\.signal) + $0.ends.flatMap(\.signals) }
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
    if state.withLock({ $0.ends.isEmpty }) { setObstacles(LIFECYCLE_OBSTACLES_GUARDED) }
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
    setObstacles(LIFECYCLE_OBSTACLES_STANDARD)
  }

  /// Gives no effect to what would keep the process from ending in order, or its effect again: the
  /// stops by the terminal, `SIGTTIN` and `SIGTTOU`, and the death by `SIGPIPE`.
  func protectEnd(_ isProtected: Bool) {
    setObstacles(isProtected ? LIFECYCLE_OBSTACLES_IGNORED : LIFECYCLE_OBSTACLES_GUARDED)
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

  private func setObstacles(_ obstacles: lifecycle_obstacles) {
    lifecycle_set_obstacles(obstacles, terminal)
  }
}
