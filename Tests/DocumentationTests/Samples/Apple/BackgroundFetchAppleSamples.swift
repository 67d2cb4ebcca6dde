import LifecycleBackgroundWork
import LifecycleSources
import ReactiveLifecycle

#if canImport(UIKit) && !os(watchOS) && !os(visionOS)
  import UIKit

  @available(iOS, deprecated: 13, message: "As the host is.")
  @available(tvOS, deprecated: 13, message: "As the host is.")
  final class FetchingApplication: UIResponder, UIApplicationDelegate {
    private let host = UIApplicationFetchHost()

    func application(
      _ application: UIApplication,
      performFetchWithCompletionHandler completionHandler:
        @escaping (UIBackgroundFetchResult) -> Void
    ) {
      host.performFetch(completionHandler: completionHandler)
    }
  }
#endif

#if canImport(UIKit) && !os(watchOS)
  import UIKit

  final class DownloadingApplication: UIResponder, UIApplicationDelegate {
    private let events = BackgroundSessionEvents()

    func application(
      _ application: UIApplication,
      handleEventsForBackgroundURLSession identifier: String,
      completionHandler: @escaping () -> Void
    ) {
      events.handleEvents(forSession: identifier, completionHandler: completionHandler)
    }
  }

  final class DownloadDelegate: NSObject, URLSessionDelegate {
    private let events: BackgroundSessionEvents

    init(_ events: BackgroundSessionEvents) { self.events = events }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
      guard let identifier = session.configuration.identifier else { return }
      events.didFinishEvents(forSession: identifier)
    }
  }
#endif

#if canImport(BackgroundTasks) && !os(macOS) && !os(watchOS)
  func backgroundTaskSchedulerSample(
    _ fetches: BackgroundFetchCoordinator
  ) throws -> LifecycleCancellable {
    let host = try BGTaskSchedulerFetchHost(identifier: "com.example.refresh")
    let connection = fetches.connect(host)
    fetches.setMinimumInterval(.after(.seconds(900)))
    return connection
  }

  func processingTaskSample() throws -> BGTaskSchedulerFetchHost {
    try BGTaskSchedulerFetchHost(
      identifier: "com.example.cleaning",
      kind: .processing(requiresNetworkConnectivity: false, requiresExternalPower: true)
    ) { error in
      print("no cleaning: \(error)")
    }
  }
#endif
