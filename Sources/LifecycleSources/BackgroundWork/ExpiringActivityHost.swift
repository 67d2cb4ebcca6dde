import Foundation
import ReactiveLifecycle

#if canImport(UIKit)
  import UIKit
#elseif canImport(WatchKit)
  import WatchKit
#endif

/// Lets a watch application or an app extension run on for a while, by the expiring activities of
/// `ProcessInfo`: there is no `UIApplication` to ask there.
///
/// ```swift
/// let tasks = BackgroundTaskCoordinator(host: .expiringActivity)
/// ```
///
/// Each task is an activity. The system may refuse it after ``beginTask(named:onExpiration:)`` has
/// returned; then, as when time is up, the expiration handler is called on the main actor. It does not say
/// how long an activity may take. An activity holds one of the system's threads until its task ends.
///
/// To end a task again does nothing.
public final class ExpiringActivityHost: BackgroundTaskHost {
  package typealias Block = @Sendable (_ isExpired: Bool) -> Void

  private struct State {
    var last = 0
    var activities: [Int: ExpiringActivity] = [:]
  }

  private let perform: @Sendable (_ reason: String, _ block: @escaping Block) -> Void
  private let state = Locked(State())

  /// - Parameter perform: Has the block called, as `performExpiringActivity(withReason:using:)` does.
  package init(perform: @escaping @Sendable (_ reason: String, _ block: @escaping Block) -> Void) {
    self.perform = perform
  }

  /// Begins an activity. Any thread.
  ///
  /// - Parameters:
  ///   - name: The activity's reason.
  ///   - onExpiration: Called on the main actor, at most once, when time is up or refused.
  public func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskID? {
    let activity = ExpiringActivity(onExpiration: onExpiration)
    let id = state.withLock { state in
      state.last += 1
      state.activities[state.last] = activity
      return state.last
    }
    // The system raises an exception for an empty reason.
    perform(name.isEmpty ? "background task" : name) { isExpired in
      activity.call(isExpired: isExpired)
    }
    return BackgroundTaskID(rawValue: id)
  }

  /// Ends an activity. Any thread.
  public func endTask(_ task: BackgroundTaskID) {
    state.withLock { $0.activities.removeValue(forKey: task.rawValue) }?.finish()
  }

  /// Nil: the system does not say.
  @MainActor public var remainingTime: Duration? { nil }

  #if canImport(UIKit) || canImport(WatchKit)
    fileprivate static let system = ExpiringActivityHost { reason, block in
      ProcessInfo.processInfo.performExpiringActivity(withReason: reason, using: block)
    }
  #endif
}

#if canImport(UIKit) || canImport(WatchKit)
  extension BackgroundTaskHost where Self == ExpiringActivityHost {
    /// The system's expiring activities, for watch applications and app extensions.
    ///
    /// ```swift
    /// let tasks = BackgroundTaskCoordinator(host: .expiringActivity)
    /// ```
    public static var expiringActivity: Self { .system }
  }
#endif
