import LifecycleSources
import ReactiveLifecycle
import TestSupport

/// A watch that prints what it is called for.
final class ProbeWatch: ProcessWatch {
  var interest: ProcessWatchInterest { ProcessWatchInterest() }

  func handle(_ moment: ProcessWatchMoment) {
    switch moment {
    case .ready: emit(.watch("ready"))
    case .deadline: emit(.watch("deadline"))
    case .willStop: emit(.watch("will stop"))
    case .didResume(let terminal, let time):
      emit(.watch("resumed in the \(terminal)"))
      emit(.paused(time))
    case .willEnd(let signal): emit(.watch("ends by \(signal.name)"))
    case .continued(_, let wasStopped):
      emit(.watch(wasStopped ? "continued" : "SIGCONT"))
    case .terminal(let state): emit(.watch("terminal \(state)"))
    }
  }
}
