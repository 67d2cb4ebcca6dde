import Dispatch

import class Foundation.Thread

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

/// Tells whether the caller runs on the main actor.
///
/// On Linux the main queue may be served by worker threads after the first `await` of an
/// asynchronous `main`, so the thread alone does not tell; and before that the queue alone need not.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) == true || Thread.isMainThread
  }
}
