#if canImport(UIKit) && !os(watchOS)
  public import LifecycleBackgroundWork
  import ReactiveLifecycle
  public import UIKit

  extension UIBackgroundFetchResult {
    /// Creates UIKit's equivalent of a result.
    public init(_ result: BackgroundFetchResult) {
      self =
        switch result {
        case .newData: .newData
        case .noData: .noData
        case .failed: .failed
        }
    }
  }
#endif
