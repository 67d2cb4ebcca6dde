import LifecycleSources
import ReactiveLifecycle

#if canImport(UIKit) && !os(watchOS)
  import UIKit

  @MainActor
  final class FetchingApplication {
    let host = UIKitBackgroundFetchHost()

    func application(
      _ application: UIApplication,
      performFetchWithCompletionHandler completionHandler:
        @escaping (UIBackgroundFetchResult) -> Void
    ) {
      host.performFetch(completionHandler: completionHandler)
    }
  }
#endif
