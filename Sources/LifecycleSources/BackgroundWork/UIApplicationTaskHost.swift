#if canImport(UIKit) && !os(watchOS)
  public import LifecycleBackgroundWork
  import ReactiveLifecycle
  import UIKit

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

    /// The value of UIKit's `backgroundTimeRemaining`; nil in the foreground, where it is huge.
    @MainActor public var remainingTime: Duration? {
      UIApplication.current.flatMap { Self.limit($0.backgroundTimeRemaining) }
    }

    /// Returns the limit, or nil for a year or more, which is no limit: `DBL_MAX`, in the
    /// foreground.
    private static func limit(_ seconds: TimeInterval) -> Duration? {
      seconds < 31_536_000 ? .seconds(max(seconds, 0)) : nil
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
