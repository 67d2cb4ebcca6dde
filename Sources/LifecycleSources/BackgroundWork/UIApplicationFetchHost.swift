#if canImport(UIKit) && !os(watchOS) && !os(visionOS)
  public import LifecycleBackgroundWork
  import ReactiveLifecycle
  public import UIKit

  /// A host for UIKit's background fetch, to which the application's delegate passes each fetch.
  ///
  /// ```swift
  /// func application(
  ///   _ application: UIApplication,
  ///   performFetchWithCompletionHandler completionHandler:
  ///     @escaping (UIBackgroundFetchResult) -> Void
  /// ) {
  ///   host.performFetch(completionHandler: completionHandler)
  /// }
  /// ```
  ///
  /// UIKit's handler is called exactly once, on the main actor; UIKit would raise an exception for
  /// a second completion. A connected coordinator completes each fetch by the deadline, so that
  /// UIKit always receives an answer.
  ///
  /// Background fetch is deprecated since iOS 13 and tvOS 13, and unavailable on visionOS ([Apple's
  /// documentation][fetch]), and so is this host. Use ``BGTaskSchedulerFetchHost`` instead.
  ///
  /// [fetch]: https://developer.apple.com/documentation/uikit/uiapplication/setminimumbackgroundfetchinterval(_:)
  @available(iOS, deprecated: 13, message: "Use BGTaskSchedulerFetchHost instead.")
  @available(tvOS, deprecated: 13, message: "Use BGTaskSchedulerFetchHost instead.")
  public final class UIApplicationFetchHost: BackgroundFetchHost {
    /// The time that each fetch has.
    ///
    /// Apple's documentation states "up to 30 seconds"; the remainder is for the steps that follow
    /// a missed deadline: notifying the observers of the bus, and reaching the main actor.
    public static let deadline = Duration.seconds(25)

    private let requests: FetchRequests

    /// Creates a host without a handler, which completes each fetch with no new data.
    ///
    /// A fetch before the first handler is set is reported at the caller's line.
    public init(
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column
    ) {
      requests = FetchRequests(
        CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
      )
    }

    public func setMinimumInterval(_ interval: Duration?) {
      Task { @MainActor in
        let seconds =
          switch interval {
          case nil: UIApplication.backgroundFetchIntervalNever
          case .zero: UIApplication.backgroundFetchIntervalMinimum
          case .some(let interval): interval / .seconds(1)
          }
        UIApplication.current?.setMinimumBackgroundFetchInterval(seconds)
      }
    }

    public func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
      requests.setHandler(handler)
    }

    /// Passes a fetch to the handler.
    ///
    /// Call this method in `application(_:performFetchWithCompletionHandler:)`.
    ///
    /// - Parameter completionHandler: UIKit's handler. Called on the main actor, once.
    @MainActor public func performFetch(
      completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
      let handler = MainActorHandler(body: completionHandler)
      requests.beginOnMainActor(deadline: Self.deadline) { result in
        handler.body(UIBackgroundFetchResult(result))
      }
    }
  }

  /// Carries a handler that belongs to the main actor.
  @MainActor private final class MainActorHandler {
    let body: (UIBackgroundFetchResult) -> Void

    init(body: @escaping (UIBackgroundFetchResult) -> Void) { self.body = body }
  }
#endif
