#if canImport(UIKit) && !os(watchOS) && !os(visionOS)
  public import LifecycleBackgroundWork
  import ReactiveLifecycle
  public import UIKit

  /// UIKit's background fetch as a host: the application's delegate hands each fetch over.
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
  /// UIKit's handler is called exactly once, on the main actor: for a second completion UIKit would raise
  /// an exception. A coordinator that is connected completes each fetch by the deadline, so that UIKit is
  /// always answered.
  ///
  /// This fetch is deprecated since iOS 13 and tvOS 13, and unavailable on visionOS
  /// ([Apple's documentation][fetch]), and so is the host. Use ``BGTaskSchedulerFetchHost`` instead.
  ///
  /// [fetch]: https://developer.apple.com/documentation/uikit/uiapplication/setminimumbackgroundfetchinterval(_:)
  @available(iOS, deprecated: 13, message: "Use BGTaskSchedulerFetchHost.")
  @available(tvOS, deprecated: 13, message: "Use BGTaskSchedulerFetchHost.")
  public final class UIApplicationFetchHost: BackgroundFetchHost {
    /// How much time each fetch has. Apple's documentation says "up to 30 seconds"; the rest is for what
    /// follows a missed deadline: the observers of the bus, and the way to the main actor.
    public static let deadline = Duration.seconds(25)

    private let requests = FetchRequests()

    /// A host without a handler: there is nothing new.
    public init() {}

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

    /// Hands a fetch over: to be called in
    /// `application(_:performFetchWithCompletionHandler:)`.
    ///
    /// - Parameter completionHandler: UIKit's. Called once, on the main actor.
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
