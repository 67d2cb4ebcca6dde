package import Foundation
package import LifecycleBackgroundWork
import LifecycleSupport
import ReactiveLifecycle

/// The open tasks of a system that knows them by identifiers of its own, and calls a handler for each.
///
/// At the end of the process, which a notification announces, the time of all of them is up.
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

  /// A table that lives as long as the process.
  package init(center: NotificationCenter, end: Notification.Name) {
    _ = center.addObserver(forName: end, object: nil, queue: nil) { [weak self] _ in
      // Posted on the main thread. From another one, the end would not wait for handlers.
      guard MainQueue.isCurrent else { return }
      MainActor.assumeIsolated { self?.expireAll() }
    }
  }

  /// Adds a task, whose identifier is what `ask` returns; nil if that refuses.
  ///
  /// - Parameter ask: Asks the system for time, and is given the handler for it. Without a lock.
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
  /// - Returns: What the system knows it by; nil if it was removed before.
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
