import CLifecycleShims
import LifecycleSupport

/// The signal operations of the engine's thread. Every call acts on the calling thread's mask.
enum ThreadSignals {
  /// Blocks all signals except those that report faults, so that the signals of a program that
  /// takes none of them here reach the threads that the program has chosen.
  static func blockAll() {
    var blocked = sigset_t()
    sigfillset(&blocked)
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP] { sigdelset(&blocked, number) }
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
  }

  /// Unblocks signals whose handlers are installed.
  ///
  /// Other threads may block all signals, as Dispatch's do, and so may the parent of the process;
  /// this thread nevertheless keeps what the source takes deliverable. Any other signal would act
  /// here by default, although the program blocks it to wait for it.
  static func accept(_ signals: Set<JobControlSignal>) {
    for signal in signals { unblock(signal.number) }
  }

  /// Makes a stop pending that only this thread can take, and blocks it.
  ///
  /// On Linux, a `SIGCONT` to the process discards pending stops in all its threads. Therefore,
  /// whatever arrives from now on, the kernel decides whether the stop still counts. XNU
  /// (`psignal_internal` in `bsd/kern/kern_sig.c`) discards only the pending stops of the thread
  /// that is to handle the `SIGCONT`: there, only the record of the `SIGCONT` shows that it came.
  static func armStop() {
    block(SIGTSTP)
    pthread_kill(pthread_self(), SIGTSTP)
  }

  /// Takes back the stop that `armStop` made pending.
  static func disarmStop() {
    lifecycle_discard_pending(SIGTSTP)
    unblock(SIGTSTP)
  }

  /// The time that a handler may take if the kernel has already begun it, in microseconds.
  private static let handlerTime: UInt32 = 1_000

  /// Lets the pending stop happen, by the default action, and returns when the process continues.
  ///
  /// Returns at once if the stop was taken back or if the kernel ignores it: in an orphaned process
  /// group no one could continue the process, and process 1 of a namespace never stops.
  ///
  /// The `SIGCONT` that continues the process is not recorded. The thread that takes it may run the
  /// handler late: after another thread has recorded the next signal that was typed, a Ctrl-Z. In
  /// that case it would look like a `SIGCONT` that takes that stop back.
  static func stop() -> SignalMoment {
    var standard = sigaction()  // all zero: the default action
    var handler = sigaction()
    sigaction(SIGTSTP, &standard, &handler)
    // Another thread may be about to run the handler for a second SIGTSTP. The moment that it
    // records must be older than the return, or that signal would stop the process once more.
    usleep(handlerTime)
    let continuation = SignalDisposition(current: .continue)
    let isRecorded = continuation.handler == SignalDisposition.recorder
    // By default, SIGCONT continues the process and the kernel discards it, including a pending one
    // that has already taken the stop back.
    if isRecorded { sigaction(SIGCONT, &standard, nil) }
    unblock(SIGTSTP)
    if isRecorded { continuation.install() }
    // Read before the handler is restored: every SIGTSTP that it records from here on is later.
    let resumed = SignalMoment.now
    sigaction(SIGTSTP, &handler, nil)
    return resumed
  }

  /// Ends the process by the signal.
  ///
  /// Where that has no effect, as for process 1 of a namespace, exits with the status that a shell
  /// would show.
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
