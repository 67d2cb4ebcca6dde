import Foundation
public import LifecycleBackgroundWork
import LifecycleSupport
import ReactiveLifecycle

#if canImport(UIKit)
  import UIKit
#elseif os(watchOS)
  import WatchKit
#endif

/// Keeps a watch application or an app extension running for a while, through expiring activities.
///
/// These are activities of `ProcessInfo`: an extension has no `UIApplication` that it may ask for
/// time.
///
/// ```swift
/// let tasks = BackgroundTaskCoordinator(host: .expiringActivity)
/// ```
///
/// All open tasks share one activity: an activity blocks one of the system's threads until it ends,
/// and there are 64 of them (Dispatch's limit for waiting threads). The system may refuse the
/// activity after ``beginTask(named:onExpiration:)`` has returned. In that case, and when time is
/// up, the expiration handlers are called on the main actor, in the order in which the tasks began.
/// The system does not specify how long an activity may take.
///
/// Ending a task more than once has no effect.
public final class ExpiringActivityHost: BackgroundTaskHost {
  package typealias Block = @Sendable (_ isExpired: Bool) -> Void

  private struct State {
    var last = 0
    /// The latest activity, which the next task joins if it has time left.
    var activity: ExpiringActivity?
    var activities: [Int: ExpiringActivity] = [:]
  }

  private let perform: @Sendable (_ reason: String, _ block: @escaping Block) -> Void
  private let state = Locked(State())

  /// - Parameter perform: Calls the block, as `performExpiringActivity(withReason:using:)` does.
  package init(perform: @escaping @Sendable (_ reason: String, _ block: @escaping Block) -> Void) {
    self.perform = perform
  }

  /// Begins a task, and an activity if there is none that has time left.
  ///
  /// Thread-safe.
  ///
  /// - Parameters:
  ///   - name: The activity's reason, if this is its first task.
  ///   - onExpiration: Called on the main actor, at most once, when time is up or refused.
  public func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskID? {
    let (id, new) = state.withLock { state -> (Int, ExpiringActivity?) in
      state.last += 1
      let id = state.last
      if let activity = state.activity, activity.join(id, onExpiration: onExpiration) {
        state.activities[id] = activity
        return (id, nil)
      }
      let activity = ExpiringActivity()
      _ = activity.join(id, onExpiration: onExpiration)
      state.activity = activity
      state.activities[id] = activity
      return (id, activity)
    }
    if let new {
      // The system raises an exception for an empty reason.
      perform(name.isEmpty ? "background task" : name) { new.call(isExpired: $0) }
    }
    return BackgroundTaskID(rawValue: id)
  }

  /// Ends a task, and ends the activity with its last task.
  ///
  /// Thread-safe.
  public func endTask(_ task: BackgroundTaskID) {
    let id = task.rawValue
    state.withLock { $0.activities.removeValue(forKey: id) }?.finish(id)
  }

  /// Nil: the system does not report the remaining time.
  @MainActor public var remainingTime: Duration? { nil }

  #if canImport(UIKit) || os(watchOS)
    fileprivate static let system = ExpiringActivityHost { reason, block in
      ProcessInfo.processInfo.performExpiringActivity(withReason: reason, using: block)
    }
  #endif
}

#if canImport(UIKit) || os(watchOS)
  extension BackgroundTaskHost where Self == ExpiringActivityHost {
    /// The system's expiring activities, for watch applications and app extensions.
    ///
    /// ```swift
    /// let tasks = BackgroundTaskCoordinator(host: .expiringActivity)
    /// ```
    public static var expiringActivity: Self { .system }
  }
#endif
