import CLifecycleShims
public import LifecycleCore
import LifecycleProcess
import LifecycleSupport

/// Feeds a bus when the machine has slept, and when its wall clock was set.
///
/// | what happens | what the bus receives |
/// | --- | --- |
/// | the machine wakes up | `systemDidWake`, with ``LifecycleCore/LifecycleEvent/timeAsleep`` |
/// | the wall clock is set by 0.1 s or more | `significantTimeChange`, with ``LifecycleCore/LifecycleEvent/clockShift`` |
/// | the network corrects the clock slowly | nothing |
///
/// ```swift
/// try bus.connect(.systemClock(), in: scope)
/// bus.addObserver(for: [.systemDidWake], in: scope) { event in
///   print("slept for \(event.timeAsleep ?? .zero)")
/// }
/// ```
///
/// The kernel wakes the process for both; there is no polling, and no message bus is needed. On
/// Apple platforms, the sources of UIKit and AppKit report these events, and this one is
/// unavailable.
///
/// > Note: The rules come from `timerfd_create(2)` (`TFD_TIMER_CANCEL_ON_SET`), and from
/// > `timerfd_resume` in the kernel's `fs/timerfd.c`, which treats sleep as a setting of the clock.
public struct SystemClockSource: SystemSource {
  /// The name of the source, `systemClock`.
  public var name: LifecycleSourceName { "systemClock" }
}

extension LifecycleSource where Self == SystemClockSource {
  /// Sleep of the machine and settings of its wall clock.
  ///
  /// ```swift
  /// try bus.connect(.systemClock(), in: scope)
  /// ```
  public static func systemClock() -> Self { Self() }
}

extension LifecycleEvent {
  static let timeAsleepKey = "timeAsleep"
  static let clockShiftKey = "clockShift"

  /// The time for which the machine slept, from the metadata that ``SystemClockSource`` adds; nil
  /// if the event has none.
  public var timeAsleep: Duration? { metadataDuration(Self.timeAsleepKey) }

  /// The distance by which the wall clock was set forward, negative if it was set back, from the
  /// metadata that ``SystemClockSource`` adds; nil if the event has none.
  public var clockShift: Duration? { metadataDuration(Self.clockShiftKey) }
}

/// A state machine that distinguishes sleep from a wall clock that was set.
///
/// Sleep moves the clock that counts it away from the one that does not. Setting the wall clock
/// moves that one away from both. The speed at which the network corrects the clocks is the same
/// for all three, so a slow correction moves none away from another.
struct ClockChangeMachine: Hashable, Sendable {
  /// A change since the reading before.
  enum Change: Hashable, Sendable {
    /// The machine slept.
    case sleep(Duration)
    /// The wall clock was moved; negative if it was set back.
    case shift(Duration)
  }

  /// The least sleep that is reported, in nanoseconds.
  static let leastSleep: Int64 = 10_000_000
  /// The least shift that is reported, in nanoseconds. Smaller ones add up.
  static let leastShift: Int64 = 100_000_000

  /// The time slept since boot, and the difference of the wall clock, when they were last reported.
  private var asleep: Int64
  private var offset: Int64

  /// Creates a machine that reports what changes after a reading.
  init(_ reading: ClockReading) {
    (asleep, offset) = (Self.asleep(reading), Self.offset(reading))
  }

  /// Handles a reading, and returns the changes: first sleep, during which the clock may have been
  /// set by others.
  mutating func handle(_ reading: ClockReading) -> [Change] {
    var changes: [Change] = []
    let slept = Self.asleep(reading) - asleep
    if slept >= Self.leastSleep + reading.width {
      asleep += slept
      changes.append(.sleep(.nanoseconds(slept)))
    }
    let shift = Self.offset(reading) - offset
    if abs(shift) >= Self.leastShift + reading.width {
      offset += shift
      changes.append(.shift(.nanoseconds(shift)))
    }
    return changes
  }

  private static func asleep(_ reading: ClockReading) -> Int64 {
    reading.moment.continuous - reading.moment.suspending
  }

  private static func offset(_ reading: ClockReading) -> Int64 {
    reading.moment.wall - reading.moment.continuous
  }
}

/// A reading of three clocks, with the time that it took.
struct ClockReading: Hashable, Sendable {
  /// The readings.
  var moment: SignalMoment
  /// The time in which all of them were read, in nanoseconds.
  var width: Int64

  /// The current reading.
  ///
  /// Another thread, or sleep, may come between the clocks; then they are read again.
  static var now: Self {
    var best = attempt()
    for _ in 0..<100 where best.width > 20_000 {
      let next = attempt()
      if next.width < best.width { best = next }
    }
    return best
  }

  private static func attempt() -> Self {
    let moment = SignalMoment.now
    return Self(moment: moment, width: SignalMoment.now.continuous - moment.continuous)
  }
}

#if os(Linux)
  extension SystemClockSource {
    /// The facility by which the source reports, or the reason why it reports nothing.
    public var availability: SystemAvailability {
      do throws(SystemFailure) {
        SystemDescriptor.close(try ClockWatch.openTimer())
        return .available(by: "a timer of the kernel")
      } catch {
        return .unavailable(because: "the system refuses \(error.reason)")
      }
    }

    /// Starts waiting for changes.
    ///
    /// - Throws: `ProcessSignalSource.StartError` if the system is short of threads or descriptors.
    public func start(_ feed: LifecycleFeed) throws -> @Sendable () -> Void {
      let watch = try availableResult { () throws(SystemFailure) in try ClockWatch(feed) }
      guard let watch else { return {} }
      return try ProcessThread.run([watch]) { watch.close() }
    }
  }

  /// The timer that the kernel cancels when the wall clock is set, and after sleep.
  final class ClockWatch: ProcessWatch {
    private let timer: Int32
    private let machine: Locked<ClockChangeMachine>
    private let feed: LifecycleFeed
    private let read: @Sendable () -> ClockReading

    /// Opens the timer.
    init(
      _ feed: LifecycleFeed,
      read: @escaping @Sendable () -> ClockReading = { .now }
    ) throws(SystemFailure) {
      timer = try Self.openTimer()
      machine = Locked(ClockChangeMachine(read()))
      self.feed = feed
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
          feed.post(.systemDidWake, [LifecycleEvent.timeAsleepKey: time.text])
        case .shift(let shift):
          feed.post(.significantTimeChange, [LifecycleEvent.clockShiftKey: shift.text])
        }
      }
    }

    func close() {
      SystemDescriptor.close(timer)
    }

    /// Opens a timer, which the caller closes.
    static func openTimer() throws(SystemFailure) -> Int32 {
      let timer = SystemDescriptor.aboveStreams(lifecycle_clock_timer_open())
      guard timer >= 0 else { throw SystemFailure("the timer") }
      return timer
    }
  }

#endif
