import Foundation

/// A handler that runs on the thread that installed it, and takes its time before it calls the one that it
/// replaces, as if that thread had got no processor.
enum SlowHandler {
  /// Written before the handler that reads them is installed.
  nonisolated(unsafe) private static var former:
    (@convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void)?
  nonisolated(unsafe) private static var milliseconds: UInt32 = 0
  nonisolated(unsafe) private static var thread = pthread_self()

  static func install(for signal: CInt, milliseconds: UInt32) {
    var action = sigaction()
    sigaction(signal, nil, &action)
    former = action.__sigaction_handler.sa_sigaction
    self.milliseconds = milliseconds
    thread = pthread_self()
    action.__sigaction_handler.sa_sigaction = { signal, info, context in
      guard pthread_equal(pthread_self(), SlowHandler.thread) != 0 else {
        pthread_kill(SlowHandler.thread, signal)
        return
      }
      usleep(1_000 * SlowHandler.milliseconds)
      SlowHandler.former?(signal, info, context)
    }
    sigaction(signal, &action, nil)
  }
}
