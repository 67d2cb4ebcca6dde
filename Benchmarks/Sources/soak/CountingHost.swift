import LifecycleBackgroundWork
import Synchronization

/// A host that grants every task, and counts those that were not ended.
final class CountingHost: BackgroundTaskHost {
  private let state = Mutex<(next: Int, open: Set<Int>)>((0, []))
  private let faults: Faults

  init(_ faults: Faults) { self.faults = faults }

  var openTasks: Int { state.withLock { $0.open.count } }

  func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskID? {
    state.withLock { state in
      state.next += 1
      state.open.insert(state.next)
      return BackgroundTaskID(rawValue: state.next)
    }
  }

  func endTask(_ task: BackgroundTaskID) {
    let wasOpen = state.withLock { $0.open.remove(task.rawValue) != nil }
    faults.check(.features, wasOpen, "task \(task.rawValue) was ended twice, or never begun")
  }

  @MainActor var remainingTime: Duration? { nil }
}
