import CLifecycleShims

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A dedicated thread, which owns its signal mask, and on which the stop is carried out.
struct SignalThread {
  /// The argument of the new thread.
  private final class Start {
    let body: () -> Void
    init(body: @escaping () -> Void) { self.body = body }
  }

  /// A Boolean value that indicates whether the current thread is such a thread.
  static var isCurrent: Bool { lifecycle_is_marked_thread() }

  private let thread: pthread_t

  /// Starts a thread that blocks all signals.
  init(_ body: sending @escaping () -> Void) throws(ProcessSignalSource.StartError) {
    // Released once: by the new thread, in `run(_:)`, or below if there is none.
    let start = Unmanaged.passRetained(Start(body: body))
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
    lifecycle_name_thread("lifecycle")
    ThreadSignals.blockAll()
    Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body()
    return nil
  }

  /// Waits until the thread has returned, and releases it.
  func join() {
    pthread_join(thread, nil)
  }
}
