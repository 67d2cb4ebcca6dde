import Dispatch
import LifecycleSupport

import class Foundation.Thread

/// A namespace that determines whether the caller runs on the main actor, and runs closures there.
///
/// On Linux, worker threads may serve the main queue after the first `await` of an asynchronous
/// `main`, so checking the thread is not enough; before that, checking the queue need not be
/// enough.
package enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  package static var isCurrent: Bool {
    isKnownMainThread || isMainThread || DispatchQueue.getSpecific(key: key) == true
  }

  /// Calls the closure if the caller is on the main actor; otherwise, returns nil.
  @discardableResult
  package static func ifCurrent<Result: Sendable>(
    _ body: @MainActor () throws -> Result
  ) rethrows -> Result? {
    isCurrent ? try MainActor.assumeIsolated(body) : nil
  }

  /// Runs the closure on the main actor.
  ///
  /// - Parameter body: Called on the main actor: before this returns if the caller is there,
  ///   otherwise in a later turn of the main queue.
  package static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
    if ifCurrent(body) == nil { DispatchQueue.main.async(execute: body) }
  }

  #if canImport(Darwin)
    private static var isKnownMainThread: Bool { pthread_main_np() != 0 }
    private static var isMainThread: Bool { false }
  #else
    /// The `pthread_self()` of the main thread, once that thread has been seen; 0 before. On Linux
    /// `Thread.isMainThread` is a system call, and this is not.
    private static let mainThread = Atomic(0)

    private static var currentThread: Int {
      #if canImport(Glibc)
        Int(bitPattern: pthread_self())
      #else
        Int(bitPattern: UInt(bitPattern: pthread_self()))
      #endif
    }

    private static var isKnownMainThread: Bool {
      mainThread.load(ordering: .relaxed) == currentThread
    }

    private static var isMainThread: Bool {
      guard mainThread.load(ordering: .relaxed) == 0, Thread.isMainThread else { return false }
      mainThread.store(currentThread, ordering: .relaxed)
      return true
    }
  #endif
}

/// A value that crosses threads although its type does not declare that it may.
///
/// `@unchecked Sendable`: where such a value is kept, a comment says why that is safe.
package struct UncheckedSendable<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }
}
