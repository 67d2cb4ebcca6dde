public import LifecycleCombine
import ReactiveLifecycle

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
/// one by zero.
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

/// An action that a scheduler was given.
///
/// Combine's schedulers take actions that are not `Sendable`, and call them on any thread. An action
/// is called on one thread at a time, with the lock of the clock between two calls.
typealias ScheduledAction = UncheckedSendable<() -> Void>
