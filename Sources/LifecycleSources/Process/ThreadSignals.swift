import CLifecycleShims

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the engine's thread does to itself by signals. Every call acts on the calling thread's mask.
enum ThreadSignals {
  /// Blocks everything but the signals of job control and the ones that report faults.
  ///
  /// Other threads may block all signals, as Dispatch's do, and so may the parent of the process;
  /// this thread keeps `SIGTSTP` and `SIGCONT` deliverable all the same.
  static func prepareThread() {
    var blocked = sigset_t()
    sigfillset(&blocked)
    let open = JobControlSignal.allCases.map(\.number) + [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]
    for number in open { sigdelset(&blocked, number) }
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
  }

  /// Makes a stop pending that only this thread can take, and blocks it.
  ///
  /// On Linux a `SIGCONT` to the process discards pending stops in all its threads. So whatever
  /// arrives from now on, the kernel decides whether the stop still counts. XNU (`psignal_internal` in
  /// `bsd/kern/kern_sig.c`) discards those of the thread alone that is to handle the `SIGCONT`: there
  /// only its record tells that it came.
  static func armStop() {
    block(SIGTSTP)
    pthread_kill(pthread_self(), SIGTSTP)
  }

  /// Takes back the stop that `armStop` made pending.
  static func disarmStop() {
    lifecycle_discard_pending(SIGTSTP)
    unblock(SIGTSTP)
  }

  /// How long a handler may take that the kernel has already begun, in microseconds.
  private static let handlerTime: UInt32 = 1_000

  /// Lets the pending stop happen, by the default action. Returns when the process goes on, or
  /// at once when the stop was taken back or the kernel ignores it: in an orphaned process group
  /// nobody could continue the process, and process 1 of a namespace never stops.
  ///
  /// The `SIGCONT` that continues the process is not recorded. The thread that takes it may run the
  /// handler late: after one that was typed next, a Ctrl-Z, has been recorded by another thread. Then
  /// it would look like a `SIGCONT` that takes that stop back.
  static func stop() -> SignalMoment {
    var standard = sigaction()  // all zero: the default action
    var handler = sigaction()
    sigaction(SIGTSTP, &standard, &handler)
    // Another thread may be about to run the handler for a second SIGTSTP. What it records must be
    // older than the return, or that signal would stop the process once more.
    usleep(handlerTime)
    let continuation = SignalDisposition(current: .continue)
    let isRecorded = continuation.handler == SignalDisposition.recorder
    // By default it continues the process, and the kernel discards it: also one that is pending,
    // which has taken the stop back before.
    if isRecorded { sigaction(SIGCONT, &standard, nil) }
    unblock(SIGTSTP)
    if isRecorded { continuation.install() }
    // Read before the handler is back: every SIGTSTP it records from here on is later.
    let resumed = SignalMoment.now
    sigaction(SIGTSTP, &handler, nil)
    return resumed
  }

  /// Ends the process by the signal; where that has no effect, as for process 1 of a namespace, by
  /// exiting with the status that a shell would show.
  static func die(_ number: Int32) -> Never {
    var standard = sigaction()  // all zero: the default action
    sigaction(number, &standard, nil)
    unblock(number)
    pthread_kill(pthread_self(), number)
    _exit(128 + number)
  }

  private static func block(_ number: Int32) {
    change(SIG_BLOCK, number)
  }

  private static func unblock(_ number: Int32) {
    change(SIG_UNBLOCK, number)
  }

  private static func change(_ how: Int32, _ number: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(how, &set, nil)
  }
}
