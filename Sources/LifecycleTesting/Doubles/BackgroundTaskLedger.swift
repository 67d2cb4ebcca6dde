import LifecycleBackgroundWork
import ReactiveLifecycle

/// Which background tasks are open, and what they may still do. Pure.
struct BackgroundTaskLedger {
  enum Status: Hashable {
    case open
    /// Its handler was called, or is being called.
    case expired
    case ended
    /// Not ended in time, or not at all, and reported.
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

  /// By their numbers, from 1.
  private var tasks: [Task] = []

  mutating func begin(_ name: String) -> BackgroundTaskID {
    tasks.append(Task(name: name))
    return BackgroundTaskID(rawValue: tasks.count)
  }

  /// - Returns: The name; nil if the task was given up before.
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

  /// - Returns: Its name; nil if there is no handler of it to be called any more.
  mutating func expire(_ id: BackgroundTaskID) -> String? {
    guard tasks[id.rawValue - 1].status == .open else { return nil }
    tasks[id.rawValue - 1].status = .expired
    return tasks[id.rawValue - 1].name
  }

  /// Gives a task up, if it is not ended.
  ///
  /// - Returns: Whether it was not.
  mutating func lose(_ id: BackgroundTaskID) -> Bool {
    switch tasks[id.rawValue - 1].status {
    case .ended, .lost: return false
    case .open, .expired:
      tasks[id.rawValue - 1].status = .lost
      return true
    }
  }

  /// Those that are neither ended nor given up, in the order in which they were begun.
  var running: [(id: BackgroundTaskID, name: String)] {
    tasks.enumerated()
      .filter { $0.element.status == .open || $0.element.status == .expired }
      .map { (BackgroundTaskID(rawValue: $0.offset + 1), $0.element.name) }
  }
}
