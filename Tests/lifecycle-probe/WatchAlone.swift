import ArgumentParser
import Dispatch
import LifecycleSources
import LifecycleSupport
import TestSupport

/// Prints the dispositions of the signals before a watch is added, when it is called, and after it was
/// removed. Nothing else takes signals.
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
