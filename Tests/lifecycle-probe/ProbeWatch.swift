import ArgumentParser
import Dispatch
import Foundation
import LifecycleProcess
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
    case .continued:
      emit(.watch("SIGCONT"))
      connection.withLock { $0 }?.cancel()
    case .terminal(let state): emit(.watch("terminal \(state)"))
    }
  }
}

/// Prints the dispositions of the signals before a watch is added, when it is called, and after it
/// was removed. Nothing else takes signals.
struct WatchAlone: ParsableCommand {
  func run() throws {
    let watch = DeadlineWatch()
    emit(.dispositions(currentDispositions()))
    try ProcessThread.add(watch)
    watch.called.wait()
    emit(.dispositions(currentDispositions()))
    ProcessThread.remove(watch)
    emit(.dispositions(currentDispositions()))
  }
}

/// A watch whose deadline has passed already.
private final class DeadlineWatch: ProcessWatch {
  let called = DispatchSemaphore(value: 0)
  private let deadline = Locked<SuspendingClock.Instant?>(.now)

  var interest: ProcessWatchInterest {
    ProcessWatchInterest(deadline: deadline.withLock { $0 })
  }

  func handle(_ moment: ProcessWatchMoment) {
    deadline.withLock { $0 = nil }
    called.signal()
  }
}
