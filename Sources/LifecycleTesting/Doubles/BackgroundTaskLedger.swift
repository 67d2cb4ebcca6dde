import LifecycleBackgroundWork
import ReactiveLifecycle

/// The open background tasks, and the operations that they still allow. Pure.
struct BackgroundTaskLedger {
  enum Status: Hashable {
    case open
    /// The task's handler was called, or is being called.
    case expired
    case ended
    /// The task was not ended in time, or not at all, and was reported.
    case lost
  }

  enum Misuse: Error, Hashable {
    case endedTwice(name: String)
    case neverBegun
  }

  private struct Task {
    let name: String
    var status = Status.open
  }

  /// The tasks by their numbers, from 1.
  private var tasks: [Task] = []

  mutating func begin(_ name: String) -> BackgroundTaskID {
    tasks.append(Task(name: name))
    return BackgroundTaskID(rawValue: tasks.count)
  }

  /// - Returns: The name of the task; nil if the task was already given up.
  mutating func end(_ id: BackgroundTaskID) throws(Misuse) -> String? {
    guard tasks.indices.contains(id.rawValue - 1) else { throw .neverBegun }
    let task = tasks[id.rawValue - 1]
    switch task.status {
    case .ended: throw .endedTwice(name: task.name)
    case .lost: return nil
    case .open, .expired:
      tasks[id.rawValue - 1].status = .ended
      return task.name
    }
  }

  /// - Returns: The name of the task; nil if its handler is no longer to be called.
  mutating func expire(_ id: BackgroundTaskID) -> String? {
    guard tasks[id.rawValue - 1].status == .open else { return nil }
    tasks[id.rawValue - 1].status = .expired
    return tasks[id.rawValue - 1].name
  }

  /// Gives a task up if it has not ended.
  ///
  /// - Returns: Whether the task was given up.
  mutating func lose(_ id: BackgroundTaskID) -> Bool {
    switch tasks[id.rawValue - 1].status {
    case .ended, .lost: return false
    case .open, .expired:
      tasks[id.rawValue - 1].status = .lost
      return true
    }
  }

  /// The tasks that are neither ended nor given up, in the order in which they were begun.
  var running: [(id: BackgroundTaskID, name: String)] {
    tasks.enumerated()
      .filter { $0.element.status == .open || $0.element.status == .expired }
      .map { (BackgroundTaskID(rawValue: $0.offset + 1), $0.element.name) }
  }
}
