import CLifecycleShims
import LifecycleSupport

/// A dedicated thread, which owns its signal mask. On that of the process, the stop is carried out.
package struct SignalThread {
  /// The argument of the new thread.
  private final class Start {
    let name: String
    let body: () -> Void

    init(_ name: String, _ body: @escaping () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// A Boolean value that indicates whether the current thread is such a thread.
  static var isCurrent: Bool { lifecycle_is_marked_thread() }

  private let thread: pthread_t

  /// Starts a thread that blocks all signals.
  ///
  /// - Parameters:
  ///   - name: The name of the thread for debuggers; at most 15 bytes.
  ///   - body: What it does.
  package init(
    named name: String,
    _ body: sending @escaping () -> Void
  ) throws(ProcessSignalSource.StartError) {
    // Released once: by the new thread, in `run(_:)`, or below if there is none.
    let start = Unmanaged.passRetained(Start(name, body))
    #if canImport(Darwin) || canImport(Musl)
      var thread: pthread_t!  // a pointer there
    #else
      var thread = pthread_t()
    #endif
    let failure = pthread_create(&thread, nil, { Self.run($0) }, start.toOpaque())
    guard failure == 0 else {
      start.release()
      throw .init(step: .thread, errno: failure)
    }
    self.thread = thread
  }

  private static func run(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let start else { return nil }
    lifecycle_mark_thread()
    ThreadSignals.blockAll()
    let taken = Unmanaged<Start>.fromOpaque(start).takeRetainedValue()
    lifecycle_name_thread(taken.name)
    taken.body()
    return nil
  }

  /// Waits until the thread has returned, and releases it.
  package func join() {
    pthread_join(thread, nil)
  }
}
