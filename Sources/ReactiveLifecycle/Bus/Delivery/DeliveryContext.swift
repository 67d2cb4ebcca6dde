import Dispatch

/// Where a bus delivers.
enum DeliveryContext: Sendable {
  case mainActor
  /// On the sending thread; what must not run there runs on the queue.
  case sendingThread(DispatchQueue)

  /// Whether the caller may deliver.
  var isHere: Bool {
    switch self {
    case .mainActor: MainQueue.isCurrent
    case .sendingThread: true
    }
  }

  /// Whether nobody but the caller may deliver now.
  var isOnlyHere: Bool {
    if case .mainActor = self { isHere } else { false }
  }

  /// Runs the body where the bus delivers, later.
  func run(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .mainActor: DispatchQueue.main.async(execute: body)
    case .sendingThread(let queue): queue.async(execute: body)
    }
  }
}
