/// Calls that write.
package enum SystemWrite {
  /// Calls a body that writes, so that it fails where a signal would end the process: with `EFBIG`
  /// at the limit of the size of files (`SIGXFSZ`), and with `EPIPE` if the reader of a pipe is
  /// gone (`SIGPIPE`).
  ///
  /// POSIX sends these signals to the thread that writes. It blocks them in the meantime, and takes
  /// those that arrive. `errno` is that of the body.
  package static func withoutSignals<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var (signals, previous, before) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, &previous)
    sigpending(&before)
    defer {
      let error = errno
      for signal in [SIGXFSZ, SIGPIPE] where sigismember(&before, signal) == 0 { take(signal) }
      pthread_sigmask(SIG_SETMASK, &previous, nil)
      errno = error
    }
    return try body()
  }

  /// Takes a signal that the thread blocks, if it is pending.
  private static func take(_ signal: Int32) {
    var (set, pending) = (sigset_t(), sigset_t())
    guard sigpending(&pending) == 0, sigismember(&pending, signal) == 1 else { return }
    sigemptyset(&set)
    sigaddset(&set, signal)
    #if canImport(Darwin)
      var taken: Int32 = 0
      sigwait(&set, &taken)
    #else
      // Unlike sigwait, it does not wait if another thread takes a signal of the process first.
      var none = timespec()
      while sigtimedwait(&set, nil, &none) < 0, errno == EINTR {}
    #endif
  }
}
