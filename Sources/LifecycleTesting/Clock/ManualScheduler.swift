public import LifecycleCombine
import LifecycleCore
import LifecycleSupport

extension ManualClock {
  /// The clock for the operators of Combine that take a scheduler.
  ///
  /// ```swift
  /// let searches = texts.debounce(for: .milliseconds(300), scheduler: clock.scheduler)
  /// ```
  public var scheduler: ManualScheduler { ManualScheduler(core: core) }
}

/// A ``ManualClock`` as a Combine scheduler, whose actions are called among the timers, in the same
/// order, by the call that moves the clock.
///
/// No action is called immediately: an action scheduled for now is called at the next move, even
/// one by zero. A ``ScriptedLifecycle`` makes such a move before each step and after each event.
///
/// A scheduler does not keep its clock alive. When the clock is released, pending actions are
/// dropped together with the operators that they hold, later actions are ignored, and ``now`` no
/// longer changes.
public struct ManualScheduler: Scheduler, Sendable {
  /// The options of the scheduler: like `ImmediateScheduler`, it has none.
  public typealias SchedulerOptions = Never

  let core: ManualClockCore

  public var now: SchedulerTimeType { SchedulerTimeType(continuous: core.now.continuous) }

  /// The minimum tolerance, which is zero: a manual clock is never late.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Calls the action at the next move of the clock. Thread-safe.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    schedule(after: now, tolerance: .zero, options: nil, action)
  }

  /// Calls the action when the clock is moved to a time or further. Thread-safe.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: Never?,
    _ action: @escaping () -> Void
  ) {
    let action = ScheduledAction(action)
    _ = core.schedule(at: date.continuous) { action.value() }
  }

  /// Calls the action at a time, and again after each interval. Thread-safe.
  ///
  /// An action that was late, because the device slept, is called once for all the calls that it
  /// missed, and then continues on its original schedule.
  ///
  /// - Parameters:
  ///   - date: The time of the first call.
  ///   - interval: The time between two calls. If it isn't positive, the action is called once.
  ///   - tolerance: Ignored: a manual clock calls on time.
  ///   - options: There are none.
  ///   - action: The closure to call, on the thread that moves the clock.
  /// - Returns: A token that cancels the action when it is cancelled, even from inside the action,
  ///   and when it is released.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(core, interval: interval.duration, ScheduledAction(action))
    repetition.schedule(at: date.continuous)
    // Held only by the pending call, or the action might hold itself.
    return LifecycleCancellable { [weak repetition] in repetition?.cancel() }
  }
}

extension ManualScheduler {
  /// An instant of the continuous clock.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    let continuous: ContinuousInstant

    public func distance(to other: Self) -> Stride {
      Stride(continuous.duration(to: other.continuous))
    }

    public func advanced(by stride: Stride) -> Self {
      Self(continuous: continuous + stride.duration)
    }
  }
}

extension ManualScheduler.SchedulerTimeType {
  /// A time interval, whose literals are in seconds. It never exceeds ±2⁶³ s.
  public struct Stride: Hashable, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
    SchedulerTimeIntervalConvertible, Sendable
  {
    let duration: Duration

    init(_ duration: Duration) {
      self.duration = duration.clamped
    }

    public init(integerLiteral seconds: Int) {
      self.init(.seconds(seconds))
    }

    public init(floatLiteral seconds: Double) {
      self = .seconds(seconds)
    }

    public init?(exactly seconds: some BinaryInteger) {
      guard let seconds = Int64(exactly: seconds) else { return nil }
      self.init(.seconds(seconds))
    }

    public static func seconds(_ seconds: Int) -> Self { Self(.seconds(seconds)) }

    public static func seconds(_ seconds: Double) -> Self {
      let limit = 9e18
      return seconds.isNaN ? .zero : Self(.seconds(min(max(seconds, -limit), limit)))
    }

    public static func milliseconds(_ milliseconds: Int) -> Self {
      Self(.milliseconds(milliseconds))
    }

    public static func microseconds(_ microseconds: Int) -> Self {
      Self(.microseconds(microseconds))
    }

    public static func nanoseconds(_ nanoseconds: Int) -> Self { Self(.nanoseconds(nanoseconds)) }

    public var magnitude: Self { max(self, Self(.zero - duration)) }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.duration < rhs.duration }
    public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.duration + rhs.duration) }
    public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.duration - rhs.duration) }

    /// Returns the product of the two numbers of seconds, in seconds.
    public static func * (lhs: Self, rhs: Self) -> Self {
      let (left, right) = (lhs.duration.components, rhs.duration.components)
      let (seconds, isBeyond) = left.seconds.multipliedReportingOverflow(by: right.seconds)
      guard !isBeyond else {
        return Self(.seconds(Int64.max) * ((lhs < .zero) == (rhs < .zero) ? 2 : -2))
      }
      let parts = left.attoseconds.multipliedFullWidth(by: right.attoseconds)
      let part = (1_000_000_000_000_000_000 as Int64).dividingFullWidth(parts).quotient
      return Self(
        Duration(secondsComponent: seconds, attosecondsComponent: part)
          + Duration(secondsComponent: 0, attosecondsComponent: left.attoseconds) * right.seconds
          + Duration(secondsComponent: 0, attosecondsComponent: right.attoseconds) * left.seconds
      )
    }

    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
  }
}

/// An action of a scheduler that is called repeatedly, until it is cancelled or dropped.
private final class Repetition: Sendable {
  private struct State {
    var action: ScheduledAction?
    /// The number of the latest call that was scheduled.
    var id: Int?
  }

  private let core: ManualClockCore
  private let interval: Duration
  private let drops: Int
  private let state: Locked<State>

  init(_ core: ManualClockCore, interval: Duration, _ action: ScheduledAction) {
    self.core = core
    self.interval = interval.clamped
    drops = core.drops
    state = Locked(State(action: action))
  }

  func schedule(at deadline: ContinuousInstant) {
    let id = core.schedule(ifStill: drops, at: deadline) { self.call(due: deadline) }
    guard let id else { return }
    let isCancelled = state.withLock { state in
      // Another thread may have called it, and scheduled the next call, meanwhile.
      state.id = max(state.id ?? id, id)
      return state.action == nil
    }
    if isCancelled { _ = core.cancel(id) }
  }

  private func call(due: ContinuousInstant) {
    // The action must not be released under the lock if it cancels itself.
    guard let action = state.withLock({ $0.action }) else { return }
    action.value()
    guard interval > .zero, state.withLock({ $0.action != nil }) else { return }
    let now = core.now.continuous
    let late = max(now - due, .zero)
    let sinceLast = late.remainder(dividingBy: interval)
    let next = now + (interval - sinceLast)
    // A clock that has reached its limit shows no later instant.
    if next > now { schedule(at: next) }
  }

  /// Cancels the action: no call begins afterward.
  func cancel() {
    let state = state.withLock { state in
      defer { state = State() }
      return state
    }
    if let id = state.id { _ = core.cancel(id) }
  }
}

extension Duration {
  /// Returns what remains of a duration that isn't negative. `Int128`, which has `%`, needs iOS 18.
  fileprivate func remainder(dividingBy interval: Duration) -> Duration {
    var (rest, multiple) = (self, interval)
    while multiple <= rest / 2 { multiple *= 2 }
    while multiple >= interval {
      if rest >= multiple { rest -= multiple }
      multiple /= 2
    }
    return rest
  }
}

/// An action that a scheduler was given.
///
/// Combine's schedulers take actions that are not `Sendable`, and call them on any thread. An
/// action is called on one thread at a time, with the lock of the clock between two calls.
private typealias ScheduledAction = UncheckedSendable<() -> Void>
