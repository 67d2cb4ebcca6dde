#if os(Linux)
  import CJobControl
  import Glibc

  /// Signals that are blocked in this thread, and taken one after the other.
  ///
  /// All threads that begin later inherit that they are blocked.
  struct SignalWait {
    struct Taken {
      var signal: CInt
      var receiver: Receiver
    }

    enum Receiver {
      /// This process, perhaps alone: another process sent the signal.
      case process
      /// The whole process group: the kernel sent the signal, as for a key of the terminal.
      case group
      /// This process, which caused the signal itself.
      case cause
    }

    /// All signals that can be blocked, without those that an instruction of this process causes:
    /// if they were blocked, they would end it without a report of the Swift runtime.
    static let blockable: [CInt] = {
      let excluded = [
        SIGKILL, SIGSTOP, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS,
      ]
      // The C library uses those in between.
      let realTime = __libc_current_sigrtmin()...__libc_current_sigrtmax()
      return (1..<32).filter { !excluded.contains($0) } + realTime
    }()

    /// The signals that were blocked before.
    let previous: sigset_t
    private let signals: sigset_t

    init(_ signals: [CInt]) {
      var set = sigset_t()
      sigemptyset(&set)
      for signal in signals { sigaddset(&set, signal) }
      // An ignored SIGCHLD would take away the status of the command.
      signal(SIGCHLD, SIG_DFL)
      var previous = sigset_t()
      pthread_sigmask(SIG_BLOCK, &set, &previous)
      (self.signals, self.previous) = (set, previous)
    }

    /// Waits for the next signal; nil when the time is over.
    func next(within milliseconds: Int? = nil) -> Taken? {
      var (set, information) = (signals, siginfo_t())
      var signal: CInt
      repeat {
        if let milliseconds {
          var time = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
          signal = sigtimedwait(&set, &information, &time)
        } else {
          signal = sigwaitinfo(&set, &information)
        }
      } while signal < 0 && errno == EINTR
      guard signal > 0 else { return nil }
      return Taken(signal: signal, receiver: Self.receiver(of: signal, information))
    }

    private static func receiver(of signal: CInt, _ information: siginfo_t) -> Receiver {
      guard information.si_code <= 0 else {
        return signal == SIGHUP && leadsSession ? .process : .group
      }
      // A write of this process to a closed pipe, or beyond the limit of a file.
      return information._sifields._kill.si_pid == getpid() ? .cause : .process
    }

    /// A Boolean value that indicates whether this process leads its session, as it does under
    /// `ssh -t` and `docker run -t`. At a hang-up, Linux sends SIGHUP to the leader alone.
    private static var leadsSession: Bool { getsid(0) == getpid() }

    /// Ends this process by a signal. It leaves no core, as the command may have left one.
    ///
    /// Returns in process 1, which the kernel protects from signals without a handler.
    static func end(by signal: CInt) {
      // A limit of 0 would not keep it from a program, to which core_pattern may pipe it.
      var (limit, set) = (rlimit(rlim_cur: 1, rlim_max: 1), sigset_t())
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
      Glibc.signal(signal, SIG_DFL)
      sigemptyset(&set)
      sigaddset(&set, signal)
      raise(signal)
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Stops this process by a signal of the terminal, and returns when it is continued. In an
    /// orphaned process group, which no shell would continue, it returns at once.
    func stop(by signal: CInt) {
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, signal)
      raise(signal)
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      pthread_sigmask(SIG_BLOCK, &set, nil)
    }
  }
#endif
