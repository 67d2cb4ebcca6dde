package import Foundation
package import LifecycleBackgroundWork
import LifecycleSupport
import ReactiveLifecycle

/// The open tasks of a system that assigns its own identifiers and calls a handler for each task.
///
/// At the end of the process, which a notification announces, the time of all tasks is up.
package final class SystemTaskTable<Identifier: Sendable>: Sendable {
  package typealias Handler = @MainActor @Sendable () -> Void

  private struct Task {
    var identifier: Identifier?
    var onExpiration: Handler?
  }

  private struct State {
    var last = 0
    var tasks: [Int: Task] = [:]
  }

  private let state = Locked(State())

  /// Creates a table that lives as long as the process.
  package init(center: NotificationCenter, end: Notification.Name) {
    _ = center.addObserver(forName: end, object: nil, queue: nil) { [weak self] _ in
      // The notification is posted on the main thread. On another thread, the end would not wait
      // for the handlers.
      MainQueue.ifCurrent { self?.expireAll() }
    }
  }

  /// Adds a task whose identifier is the result of `ask`; returns nil if `ask` returns nil.
  ///
  /// - Parameter ask: Asks the system for time, and receives the expiration handler. No lock is
  ///   held during the call.
  package func begin(
    onExpiration: @escaping Handler,
    ask: (_ onExpiration: @escaping Handler) -> Identifier?
  ) -> BackgroundTaskID? {
    let id = state.withLock { state in
      state.last += 1
      state.tasks[state.last] = Task(onExpiration: onExpiration)
      return state.last
    }
    let identifier = ask { [weak self] in self?.expire(id) }
    state.discard { state -> Task? in
      guard let identifier else { return state.tasks.removeValue(forKey: id) }
      state.tasks[id]?.identifier = identifier
      return nil
    }
    return identifier == nil ? nil : BackgroundTaskID(rawValue: id)
  }

  /// Removes a task.
  ///
  /// - Returns: The system's identifier for the task; nil if the task was removed before.
  package func end(_ task: BackgroundTaskID) -> Identifier? {
    state.withLock { $0.tasks.removeValue(forKey: task.rawValue) }?.identifier
  }

  @MainActor private func expire(_ id: Int) {
    state.withLock { $0.tasks[id]?.onExpiration.take() }?()
  }

  @MainActor private func expireAll() {
    for id in state.withLock({ $0.tasks.keys.sorted() }) { expire(id) }
  }
}
