import Foundation
import LifecycleSources
import LifecycleSupport
import TestSupport

/// A watch that prints what it is called for.
final class ProbeWatch: ProcessWatch {
  private let terminal = ControllingTerminal(descriptor: open("/dev/tty", O_RDONLY | O_CLOEXEC))
  private let lastStop = Locked(ContinuousClock.now)
  /// A connection that the watch cancels on a SIGCONT.
  let connection = Locked<ProbeConnection?>(nil)

  var interest: ProcessWatchInterest { ProcessWatchInterest() }

  func handle(_ moment: ProcessWatchMoment) {
    switch moment {
    case .ready: emit(.watch("ready"))
    case .deadline: emit(.watch("deadline"))
    case .willStop:
      emit(.watch("will stop"))
      lastStop.withLock { $0 = .now }
    case .didResume:
      let now = ContinuousClock.now
      emit(.watch("resumed in the \(terminal.state)"))
      emit(.paused(now - lastStop.withLock { $0 }))
    case .willEnd: emit(.watch("will end"))
    case .continued(let wasStopped):
      emit(.watch(wasStopped ? "continued" : "SIGCONT"))
      connection.withLock { $0 }?.cancel()
    case .terminal(let state): emit(.watch("terminal \(state)"))
    }
  }
}
