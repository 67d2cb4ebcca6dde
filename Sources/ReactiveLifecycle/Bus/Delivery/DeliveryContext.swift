import Dispatch
import LifecycleSupport

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

  /// Marks the thread that runs a closure of `run(_:)` on a queue.
  private static let mark: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// A Boolean value that indicates whether the caller runs where `run(_:)` calls closures.
  var isInRun: Bool {
    switch self {
    case .mainActor: MainQueue.isCurrent
    case .sendingThread: pthread_getspecific(Self.mark) != nil
    }
  }

  /// Calls `body` later, where the bus delivers.
  func run(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .mainActor: DispatchQueue.main.async(execute: body)
    case .sendingThread(let queue):
      queue.async {
        pthread_setspecific(Self.mark, UnsafeRawPointer(bitPattern: 1))
        body()
        pthread_setspecific(Self.mark, nil)
      }
    }
  }
}
