package import Foundation
import LifecycleSupport
package import ReactiveLifecycle

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#endif

/// The open tasks of a system that assigns its own identifiers and calls a handler for each task.
///
/// At the end of the process, which a notification announces, the time of all tasks is up.
final class SystemTaskTable<Identifier: Sendable>: Sendable {
  typealias Handler = @MainActor @Sendable () -> Void

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
  init(center: NotificationCenter, end: Notification.Name) {
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
  func begin(
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
  func end(_ task: BackgroundTaskID) -> Identifier? {
    state.withLock { $0.tasks.removeValue(forKey: task.rawValue) }?.identifier
  }

  @MainActor private func expire(_ id: Int) {
    state.withLock { $0.tasks[id]?.onExpiration.take() }?()
  }

  @MainActor private func expireAll() {
    for id in state.withLock({ $0.tasks.keys.sorted() }) { expire(id) }
  }
}

/// The time that UIKit grants.
enum UIKitGrant {
  /// UIKit has no constant for it: see `UIApplicationTaskHost`.
  private static let longest = 30.0

  static func remainingTime(_ backgroundTimeRemaining: TimeInterval) -> Duration {
    .seconds(min(max(backgroundTimeRemaining, 0), longest))
  }
}

#if canImport(UIKit) && !os(watchOS)
  /// Keeps an application running in the background for a while, through `UIApplication`'s tasks.
  ///
  /// ```swift
  /// let tasks = BackgroundTaskCoordinator(host: .uiApplication)
  /// ```
  ///
  /// Expiration handlers are called synchronously on the main thread: when UIKit reports that time
  /// is up, and at the end of the application (`willTerminate`). App extensions may not ask for
  /// background tasks, even if they have a `UIApplication`; use ``ExpiringActivityHost`` there.
  ///
  /// Ending a task more than once has no effect.
  public final class UIApplicationTaskHost: BackgroundTaskHost {
    fileprivate static let shared = UIApplicationTaskHost()

    private let tasks = SystemTaskTable<UIBackgroundTaskIdentifier>(
      center: .default,
      end: UIApplication.willTerminateNotification
    )

    /// Begins a background task.
    ///
    /// Thread-safe.
    ///
    /// - Parameters:
    ///   - name: The name that Xcode's debugger shows.
    ///   - onExpiration: Called on the main thread, at most once.
    /// - Returns: The task; nil if UIKit refuses, in app extensions, and before
    ///   `UIApplicationMain`.
    public func beginTask(
      named name: String,
      onExpiration: @escaping @MainActor @Sendable () -> Void
    ) -> BackgroundTaskID? {
      guard let application = UIApplication.current else { return nil }
      return tasks.begin(onExpiration: onExpiration) { onExpiration in
        let identifier = application.beginBackgroundTask(
          withName: name,
          expirationHandler: onExpiration
        )
        return identifier == .invalid ? nil : identifier
      }
    }

    /// Ends a background task.
    ///
    /// Thread-safe.
    public func endTask(_ task: BackgroundTaskID) {
      guard let identifier = tasks.end(task) else { return }
      UIApplication.current?.endBackgroundTask(identifier)
    }

    /// The value of UIKit's `backgroundTimeRemaining`, but at most 30 seconds; nil before
    /// `UIApplicationMain`.
    ///
    /// UIKit's value is huge in the foreground, and in the background while location updates keep
    /// the app running. The grant that follows has been about 30 seconds since iOS 13
    /// ([home-assistant/iOS](https://github.com/home-assistant/iOS/discussions/1793)).
    @MainActor public var remainingTime: Duration? {
      UIApplication.current.map { UIKitGrant.remainingTime($0.backgroundTimeRemaining) }
    }
  }

  extension BackgroundTaskHost where Self == UIApplicationTaskHost {
    /// `UIApplication`'s background tasks: on iOS, tvOS, visionOS and Mac Catalyst.
    ///
    /// ```swift
    /// let tasks = BackgroundTaskCoordinator(host: .uiApplication)
    /// ```
    public static var uiApplication: Self { .shared }
  }
#endif

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
