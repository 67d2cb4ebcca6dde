public import LifecycleCore
import LifecycleSupport

public import struct Foundation.Date

/// A countdown that stays correct whatever happens to the process.
///
/// It ends at a fixed moment of the continuous clock. It therefore neither drifts nor stands still
/// while the process is suspended or the device is asleep, and no one can set it forward or back by
/// changing the wall clock. Only ``start(until:)-(Date)`` counts to a date of the wall clock.
///
/// ```swift
/// @MainActor
/// final class RentalScreen {
///   private let rental: Countdown
///   private let scope = LifecycleScope("rental")
///
///   init(of bus: LifecycleBus, show: @escaping (Duration) -> Void) {
///     rental = Countdown(.seconds(300), of: bus)
///     rental.states.sink { state in show(state.remaining) }.store(in: scope)
///     rental.start()  // 300, 299, …
///   }
/// }
/// ```
///
/// Keep it in a property: releasing a countdown ends it, and its states finish.
///
/// While it runs, ``states`` emits at every whole interval of the *remaining* time. In the
/// background, no timer is armed unless ``BackgroundBehavior`` specifies otherwise; what is
/// reported on the return is described in <doc:Countdowns>.
///
/// Thread-safe. Methods may also be called while a state is being delivered. Subscribers receive
/// states where the bus delivers. If a method is called there and the bus is not delivering, they
/// receive the state before the call returns.
///
/// A countdown does not keep its bus alive. After the bus has ended, subscribers no longer receive
/// anything, but ``state`` remains exact.
///
/// - Complexity: Starting, resetting and extending a countdown is O(log *n*) in the number of
///   running countdowns; the cost of a tick is proportional to what is due.
public final class Countdown: Sendable {
  package let core: CountdownCore

  /// Creates an idle countdown, which ``start()`` starts.
  ///
  /// - Parameters:
  ///   - duration: The time that the countdown lasts. A negative duration is treated as zero, and
  ///     one of more than 73 years as 73 years.
  ///   - bus: The bus that reports when the process is in the background, and that delivers the
  ///     states. The countdown uses its clock. The phase `unknown` does not count as background.
  ///   - tickInterval: The time between two ticks; nil for no tick except the end. An interval that
  ///     is not positive is reported at the caller's line and treated as nil.
  ///   - behavior: The behavior in the background.
  public init(
    _ duration: Duration,
    of bus: some LifecycleBusProtocol,
    tickInterval: Duration? = .seconds(1),
    inBackground behavior: BackgroundBehavior = .catchUp,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    if let tickInterval, tickInterval <= .zero {
      CallSite(fileID, filePath, line, column).report(
        """
        A countdown can't tick every \(tickInterval), so it has no ticks and only finishes. Pass a \
        positive interval, or nil for no ticks.
        """
      )
    }
    core = CountdownCore(
      queue: .of(bus.core),
      machine: CountdownMachine(
        total: duration.nanosecondsRoundedUp,
        interval: tickInterval?.nanosecondsRoundedUp ?? 0,
        behavior: behavior
      )
    )
    core.queue.noteCreation(of: core, fileID, line)
  }

  deinit {
    core.queue.release(core)
  }

  // MARK: Commands

  /// Starts an idle countdown.
  ///
  /// Has no effect if the countdown is running, is paused or has finished, so it may be called
  /// whenever a screen appears. ``restart()`` starts over.
  public func start() {
    core.queue.perform(on: core, endsRun: true) { $0.start(at: $1) }
  }

  /// Starts a countdown to a date, or changes the date.
  ///
  /// ```swift
  /// sale.start(until: date)
  /// ```
  ///
  /// - Parameter date: The date, to the microsecond; see ``start(until:)-(Duration)``.
  public func start(until date: Date) {
    // No date is one that a duration can't express, not even `NaN`.
    start(until: .seconds(min(max(-1e12, date.timeIntervalSince1970), 1e12)))
  }

  /// Starts a countdown to a time of the wall clock, or changes that time.
  ///
  /// The duration of the countdown does not matter. When the wall clock is set, the remaining time
  /// changes with it: at the next tick, at the return to the foreground, or at once with a
  /// `significantTimeChange` of the bus. The remaining time is not trusted, because anyone can set
  /// that clock. A date does not wait: ``pause()`` has no effect, and in the background the
  /// behavior `pause` is that of `catchUp`. ``extend(by:)`` moves the date.
  ///
  /// Has no effect if the countdown counts to that time already, or has ended at it, so it may be
  /// called whenever a screen appears. Another time begins another run. A time that has passed ends
  /// it at once.
  ///
  /// - Parameter timeSince1970: The time since 1970-01-01 00:00 UTC, between 1965 and 2111.
  public func start(until timeSince1970: Duration) {
    core.queue.start(core, until: timeSince1970.nanosecondsSinceWallReference)
  }

  /// Starts from the whole duration, whatever the state of the countdown.
  ///
  /// As with ``reset()``, a countdown whose time has already elapsed finishes first, and
  /// subscribers that have not received a tick that is being published do not receive it.
  public func restart() {
    core.queue.perform(on: core, endsRun: true) { $0.restart(at: $1) }
  }

  /// Starts from the whole duration, which counts from an instant that may have passed, such as the
  /// end of another countdown.
  ///
  /// ```swift
  /// work.ends.sink { end in
  ///   if let instant = end.endedAt { rest.restart(at: instant) }
  /// }
  /// .store(in: scope)
  /// ```
  ///
  /// Otherwise like ``restart()``. A countdown whose time has elapsed since then finishes at once,
  /// before others whose ends have not been reported yet.
  ///
  /// - Parameter instant: The instant of the bus's clock. An instant in the future is treated as
  ///   now.
  public func restart(at instant: ContinuousInstant) {
    let start = instant.timeSinceBoot.nanoseconds
    core.queue.perform(on: core, endsRun: true) { $0.restart(from: start, at: $1) }
  }

  /// Keeps the remaining time until ``resume()``.
  ///
  /// Has no effect if the countdown is not running.
  public func pause() {
    core.queue.perform(on: core) { $0.pause(at: $1) }
  }

  /// Continues after ``pause()``.
  ///
  /// Has no effect if the countdown is not paused.
  public func resume() {
    core.queue.perform(on: core) { $0.resume(at: $1) }
  }

  /// Moves the end of a running or paused countdown.
  ///
  /// Has no effect if the countdown is idle or has finished.
  ///
  /// - Parameter duration: The time to add to the remaining time. A negative duration shortens the
  ///   countdown, and finishes it if no time is left.
  public func extend(by duration: Duration) {
    let time = duration.nanosecondsRoundedUp
    core.queue.perform(on: core) { $0.extend(by: time, at: $1) }
  }

  /// Makes the countdown idle again, with the whole duration remaining.
  ///
  /// If its time has already elapsed, the countdown finishes first, and subscribers receive both
  /// states. If a tick is being published, subscribers that have not received it yet do not receive
  /// it.
  public func reset() {
    core.queue.perform(on: core, endsRun: true) { machine, _ in machine.reset() }
  }

  // MARK: State

  /// The exact current state of the countdown.
  ///
  /// Thread-safe.
  public var state: State { core.queue.state(of: core) }

  /// The exact remaining time: never negative, and zero once the countdown has finished.
  ///
  /// Thread-safe.
  public var remaining: Duration { state.remaining }

  /// A publisher of the current state, then of each change and each tick, delivered where the bus
  /// delivers.
  ///
  /// While the countdown runs, the remaining time is reported in whole intervals: the boundary that
  /// was passed last. A subscriber that is slow to request values receives the latest one, unless
  /// it is the one that it received last.
  ///
  /// A subscriber that comes after the end also begins with the state `finished`. To act on each
  /// end once, use ``ends``.
  ///
  /// ```swift
  /// for await state in rental.states.asyncSequence() {
  ///   show(state.remaining)
  ///   if state.status == .finished { break }
  /// }
  /// ```
  ///
  /// It finishes when the countdown is released, or the bus ends.
  public var states: LifecyclePublisher<State> {
    LifecyclePublisher(of: core, on: core.queue.bus, keepingLatest: { $0 == $1 })
  }

  /// A publisher of the end of each run, as the state `finished`, delivered where the bus delivers.
  ///
  /// ```swift
  /// rental.ends.sink { _ in notify() }.store(in: scope)
  /// ```
  ///
  /// It does not begin with the current state: subscribers receive the ends that come after they
  /// have subscribed. An end that comes while there is no subscriber waits for the first one, which
  /// receives it at once, unless the countdown is restarted or reset before. So does an end
  /// that was kept for a subscriber that leaves without it: one that has not requested it, or a
  /// loop that is busy when its scope ends.
  ///
  /// The ``savedState-swift.property`` states whether an end still waits. A countdown that ended
  /// while no process ran, or in a process that was killed before anyone received it, therefore
  /// reports its end in the next process; once it has been received and the saved state is stored,
  /// it is not reported again.
  ///
  /// All ends are kept for a subscriber that is slow to request values. The publisher finishes when
  /// the countdown is released, or the bus ends.
  public var ends: LifecyclePublisher<State> {
    LifecyclePublisher(
      of: CountdownEnds(of: core),
      on: core.queue.bus,
      onReceipt: { [core] end in core.queue.noteReceipt(of: end, core) }
    )
  }
}

// MARK: The state of a countdown

extension Countdown {
  /// The activity of a countdown.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    /// The countdown has not been started, or was reset.
    case idle
    case running
    /// The countdown was paused, or is held in the background.
    case paused
    case finished
  }

  /// The state of a countdown.
  public struct State: Sendable, Hashable, Codable {
    public let status: Status
    /// The remaining time: the whole duration while the countdown is idle, zero once it has
    /// finished.
    public let remaining: Duration
    /// A Boolean value that indicates whether the remaining time was measured by clocks that no one
    /// can set.
    ///
    /// It is false for a countdown to a date, and for one that continued after a restart of the
    /// machine, by the wall clock alone; see ``Countdown/SavedState-swift.struct``.
    public let isClockTrusted: Bool
    /// The instant at which the countdown ended, which may be long before the end is reported; nil
    /// unless it has finished.
    ///
    /// After a restart of the machine, it may come before the boot, and is as reliable as the wall
    /// clock.
    public let endedAt: ContinuousInstant?
    /// The run that an end belongs to.
    var run = Run()

    private enum CodingKeys: CodingKey { case status, remaining, isClockTrusted, endedAt }

    /// The number of a run among the starts and resets of the bus's countdowns, which is no
    /// part of the value.
    struct Run: Sendable, Hashable {
      var number: Int64 = 0

      static func == (_: Self, _: Self) -> Bool { true }
      func hash(into _: inout Hasher) {}
    }

    /// Creates a state, for tests and previews.
    public init(
      status: Status,
      remaining: Duration,
      isClockTrusted: Bool = true,
      endedAt: ContinuousInstant? = nil
    ) {
      self.status = status
      self.remaining = remaining
      self.isClockTrusted = isClockTrusted
      self.endedAt = endedAt
    }
  }

  /// The behavior of a countdown in the background.
  public enum BackgroundBehavior: String, Sendable, Hashable, Codable, CaseIterable {
    /// The countdown continues without a timer.
    ///
    /// Its end is reported before the return, or else a tick after it.
    case catchUp
    /// The countdown pauses, without a timer, and continues from there on the return.
    case pause
    /// The countdown continues and finishes on time, without ticks.
    ///
    /// For a process that keeps running in the background.
    case finishOnTime
  }
}

extension Countdown.State: CustomStringConvertible {
  /// The status and the remaining time: `running, 290 s`; with `unverified` if the clock is not
  /// trusted.
  public var description: String {
    let rest = remaining == .zero ? "" : ", \(remaining.text)"
    return "\(status)\(rest)\(isClockTrusted ? "" : ", unverified")"
  }
}

// A `Duration` would be shown as it is stored: as two halves of a number of attoseconds.
extension Countdown.State: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "status": status,
        "remaining": Seconds(remaining),
        "isClockTrusted": isClockTrusted,
        "endedAt": endedAt as Any,
      ],
      displayStyle: .struct
    )
  }
}
