package import Foundation
public import LifecycleBackgroundWork
package import ReactiveLifecycle

/// Keeps a Mac application, or an app extension on macOS, running at full speed while tasks are
/// open.
///
/// The host uses the activities of `ProcessInfo`.
///
/// ```swift
/// let tasks = BackgroundTaskCoordinator(host: .processActivity)
/// ```
///
/// A Mac application is not suspended in the background, but macOS
///
/// - kills the application without notice at logout, if it supports sudden termination,
/// - ends it when it has no windows, if it supports automatic termination,
/// - slows down its timers, its processor and its drive when it is not visible (App Nap).
///
/// While a task is open, none of this happens. The Mac may still go to sleep when it is idle, as a
/// phone may, and the user may still quit the application. When that happens (`willTerminate`), the
/// expiration handlers are called synchronously on the main thread, before the application ends.
/// There is no other limit.
///
/// Ending a task more than once has no effect.
public final class ProcessActivityHost: BackgroundTaskHost {
  /// The system's handle for an activity. It is only passed back to the system, on any thread.
  package typealias Activity = UncheckedSendable<any NSObjectProtocol>

  private let tasks: SystemTaskTable<Activity>
  private let begin: @Sendable (_ reason: String) -> Activity
  private let end: @Sendable (Activity) -> Void

  /// - Parameters:
  ///   - center: The notification center that announces the end of the application.
  ///   - notification: The announcement.
  ///   - begin: Begins an activity, as `beginActivity(options:reason:)` does.
  ///   - end: Ends the activity.
  package init(
    center: NotificationCenter,
    end notification: Notification.Name,
    begin: @escaping @Sendable (_ reason: String) -> Activity,
    end: @escaping @Sendable (Activity) -> Void
  ) {
    tasks = SystemTaskTable(center: center, end: notification)
    self.begin = begin
    self.end = end
  }

  /// Begins an activity.
  ///
  /// Thread-safe.
  ///
  /// - Parameters:
  ///   - name: The activity's reason, for people who read logs.
  ///   - onExpiration: Called on the main thread, at most once, at the end of the application.
  /// - Returns: The task; never nil.
  public func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskID? {
    tasks.begin(onExpiration: onExpiration) { _ in
      begin(name.isEmpty ? "background task" : name)
    }
  }

  /// Ends an activity.
  ///
  /// Thread-safe.
  public func endTask(_ task: BackgroundTaskID) {
    if let activity = tasks.end(task) { end(activity) }
  }

  /// Nil: there is no limit.
  @MainActor public var remainingTime: Duration? { nil }
}

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  extension ProcessActivityHost {
    fileprivate static let system = ProcessActivityHost(
      center: .default,
      end: Notification.Name("NSApplicationWillTerminateNotification")
    ) { reason in
      Activity(ProcessInfo.processInfo.beginActivity(options: options, reason: reason))
    } end: { activity in
      ProcessInfo.processInfo.endActivity(activity.value)
    }

    /// The options of each activity.
    ///
    /// The first option includes the other two, in `NSProcessInfo.h`, and prevents App Nap, which
    /// `.background` does not. Without `.idleSystemSleepDisabled`, an unused Mac still goes to
    /// sleep.
    private static var options: ProcessInfo.ActivityOptions {
      [
        .userInitiatedAllowingIdleSystemSleep, .suddenTerminationDisabled,
        .automaticTerminationDisabled,
      ]
    }
  }

  extension BackgroundTaskHost where Self == ProcessActivityHost {
    /// The activities of `ProcessInfo`, on macOS.
    ///
    /// ```swift
    /// let tasks = BackgroundTaskCoordinator(host: .processActivity)
    /// ```
    public static var processActivity: Self { .system }
  }
#endif
