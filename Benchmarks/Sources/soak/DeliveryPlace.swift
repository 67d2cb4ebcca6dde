import Dispatch
import Foundation

/// The place where a bus delivers.
enum DeliveryPlace {
  case mainActor
  case sendingThread

  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// A Boolean value that indicates whether the caller is there.
  ///
  /// After the first `await` of the program, another thread may serve the main queue.
  var isHere: Bool {
    switch self {
    case .mainActor: DispatchQueue.getSpecific(key: Self.key) == true || Thread.isMainThread
    case .sendingThread: true
    }
  }
}
