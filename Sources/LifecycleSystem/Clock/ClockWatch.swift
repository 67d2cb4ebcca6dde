#if os(Linux)
  import CLifecycleShims
  import LifecycleSources
  import LifecycleSupport
  import ReactiveLifecycle

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The timer that the kernel cancels when the wall clock is set, and after sleep.
  final class ClockWatch: ProcessWatch {
    private let timer: Int32
    private let machine: Locked<ClockChangeMachine>
    private let input: LifecycleFeed
    private let read: @Sendable () -> ClockReading

    /// Opens the timer.
    init(
      _ input: LifecycleFeed,
      read: @escaping @Sendable () -> ClockReading = { .now }
    ) throws(SystemFailure) {
      timer = try Self.openTimer()
      machine = Locked(ClockChangeMachine(read()))
      self.input = input
      self.read = read
    }

    var interest: ProcessWatchInterest {
      ProcessWatchInterest(descriptor: timer, events: Int16(POLLIN))
    }

    func handle(_ moment: ProcessWatchMoment) {
      guard case .ready = moment else { return }
      // Before the clocks are read: what happens after that wakes the thread again.
      lifecycle_clock_timer_clear(timer)
      for change in machine.withLock({ $0.handle(read()) }) {
        switch change {
        case .sleep(let time):
          input.post(.systemDidWake, [LifecycleEvent.timeAsleepKey: time.text])
        case .shift(let shift):
          input.post(.significantTimeChange, [LifecycleEvent.clockShiftKey: shift.text])
        }
      }
    }

    func close() {
      SystemFile.close(timer)
    }

    /// Opens a timer, which the caller closes.
    static func openTimer() throws(SystemFailure) -> Int32 {
      let timer = SystemDescriptor.aboveStreams(lifecycle_clock_timer_open())
      guard timer >= 0 else { throw SystemFailure("the timer") }
      return timer
    }
  }
#endif
