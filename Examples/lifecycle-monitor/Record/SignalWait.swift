#if os(Linux)
  import Glibc

  /// Signals that are blocked in this thread, and taken one after the other.
  ///
  /// All threads that begin later inherit that they are blocked.
  struct SignalWait {
    struct Taken {
      var signal: CInt
      /// A Boolean value that indicates whether the kernel sent it to the whole process group, as
      /// for a key of the terminal.
      var wentToGroup: Bool
    }

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
      let wentToGroup = information.si_code > 0 && !(signal == SIGHUP && Self.leadsSession)
      return Taken(signal: signal, wentToGroup: wentToGroup)
    }

    /// A Boolean value that indicates whether this process leads its session, as it does under
    /// `ssh -t` and `docker run -t`. At a hang-up, Linux sends SIGHUP to the leader alone.
    private static var leadsSession: Bool { getsid(0) == getpid() }

    /// Stops this process by a signal, and returns when it is continued.
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
