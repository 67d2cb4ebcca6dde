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
  static var isCurrent: Bool { lifecycle_thread_is_marked() }

  private let thread: UInt

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
    var thread: UInt = 0
    let failure = lifecycle_thread_start(&thread, { Self.run($0) }, start.toOpaque())
    guard failure == 0 else {
      start.release()
      throw .init(step: .thread, errno: failure)
    }
    self.thread = thread
  }

  private static func run(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let start else { return nil }
    let taken = Unmanaged<Start>.fromOpaque(start).takeRetainedValue()
    blockAll()
    lifecycle_thread_mark(taken.name)
    taken.body()
    return nil
  }

  /// Waits until the thread has returned, and releases it.
  package func join() {
    lifecycle_thread_join(thread)
  }
}

/// Operations on the mask of the calling thread, which is that of the process.
extension SignalThread {
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
  static func accept(_ signals: [JobControlSignal]) {
    for signal in signals { change(SIG_UNBLOCK, signal.number) }
  }

  /// Makes a stop pending that only this thread can take, and blocks it.
  ///
  /// On Linux, a `SIGCONT` to the process discards pending stops in all its threads. Therefore,
  /// whatever arrives from now on, the kernel decides whether the stop still counts. XNU
  /// (`psignal_internal` in `bsd/kern/kern_sig.c`) discards only the pending stops of the thread
  /// that is to handle the `SIGCONT`: there, only the message of the `SIGCONT` shows that it came.
  static func armStop() {
    change(SIG_BLOCK, SIGTSTP)
    pthread_kill(pthread_self(), SIGTSTP)
  }

  /// Takes back the stop that `armStop` made pending.
  static func disarmStop() {
    lifecycle_discard_pending(SIGTSTP)
    change(SIG_UNBLOCK, SIGTSTP)
  }

  /// The time that a handler may take if the kernel has already begun it, in microseconds.
  private static let handlerTime: UInt32 = 1_000

  /// Lets the pending stop happen, by the default action, and returns when the process continues.
  ///
  /// Returns at once if the stop was taken back or if the kernel ignores it: in an orphaned process
  /// group no one could continue the process, and process 1 of a namespace never stops.
  ///
  /// The `SIGCONT` that continues the process posts no message. The thread that takes it may run
  /// the handler late: after another thread has posted the next signal that was typed, a Ctrl-Z. In
  /// that case it would look like a `SIGCONT` that takes that stop back.
  static func stop() -> SignalMoment {
    var standard = sigaction()  // all zero: the default action
    var handler = sigaction()
    sigaction(SIGTSTP, &standard, &handler)
    // Another thread may be about to run the handler for a second SIGTSTP. The moment that it
    // posts must be older than the return, or that signal would stop the process once more.
    usleep(handlerTime)
    let continuation = SignalDisposition(current: .continue)
    let isPosting = continuation.handler == SignalDisposition.Handler.posting.number
    // By default, SIGCONT continues the process and the kernel discards it, including a pending one
    // that has already taken the stop back.
    if isPosting { sigaction(SIGCONT, &standard, nil) }
    change(SIG_UNBLOCK, SIGTSTP)
    if isPosting { continuation.install() }
    // Read before the handler is restored: every SIGTSTP that it posts from here on is later.
    let resumed = SignalMoment.now
    sigaction(SIGTSTP, &handler, nil)
    return resumed
  }

  /// Ends the process by the signal.
  ///
  /// Where that has no effect, as for process 1 of a namespace, exits with the status that a shell
  /// would show.
  static func die(_ number: Int32) -> Never {
    SignalDisposition.makeFinal()
    var standard = sigaction()  // all zero: the default action
    sigaction(number, &standard, nil)
    change(SIG_UNBLOCK, number)
    pthread_kill(pthread_self(), number)
    _exit(128 + number)
  }

  private static func change(_ how: Int32, _ number: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(how, &set, nil)
  }
}
