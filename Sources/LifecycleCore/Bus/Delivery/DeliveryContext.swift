import Dispatch

/// The place where a bus delivers.
enum DeliveryContext: Sendable {
  case mainActor
  /// On the sending thread. Work that must not run there runs on the queue.
  case sendingThread(DispatchQueue)

  /// A Boolean value that indicates whether the caller may deliver.
  var isHere: Bool {
    switch self {
    case .mainActor: MainQueue.isCurrent
    case .sendingThread: true
    }
  }

  /// A Boolean value that indicates whether only the caller may deliver now.
  var isOnlyHere: Bool {
    if case .mainActor = self { isHere } else { false }
  }

  /// Calls `body` later, where the bus delivers.
  func run(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .mainActor: DispatchQueue.main.async(execute: body)
    case .sendingThread(let queue): queue.async(execute: body)
    }
  }
}
