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

/// A ``ManualClock`` as a scheduler of Combine: its actions are called in the order of timers, and
/// among them, by whoever moves the clock.
///
/// Nothing is called at once: what is to be done now is done at the next move, one by nothing included.
///
/// A scheduler does not keep its clock alive. When the clock is released, the actions that wait are
/// dropped, with the operators that they hold, as are those that come later, and ``now`` stays what it is.
public struct ManualScheduler: Scheduler, Sendable {
  /// As with `ImmediateScheduler`, there are none.
  public typealias SchedulerOptions = Never

  let core: ManualClockCore

  public var now: SchedulerTimeType { SchedulerTimeType(continuous: core.now.continuous) }

  /// None: a manual clock is never late.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Has the action called at the next move. Any thread.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    schedule(after: now, tolerance: .zero, options: nil, action)
  }

  /// Has the action called when the clock is moved to that time or further. Any thread.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: Never?,
    _ action: @escaping () -> Void
  ) {
    let action = ScheduledAction(action)
    _ = core.schedule(at: date.continuous) { action.call() }
  }

  /// Has the action called at that time, and again after each interval. Any thread.
  ///
  /// An action that was late, because the device slept, is called once for all that it missed, and goes
  /// on as if it had not been.
  ///
  /// - Parameter interval: If it isn't positive, the action is called once.
  /// - Returns: What cancels the action, from inside its call as well, and when it is released.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(core, interval: interval.duration, ScheduledAction(action))
    repetition.schedule(at: date.continuous)
    // Held by what waits for its call alone, or the action might hold itself.
    return LifecycleCancellable { [weak repetition] in repetition?.cancel() }
  }
}

/// What a scheduler was asked to do.
///
/// `@unchecked Sendable`: Combine's schedulers take actions that are not, to call them where they like;
/// one is called on one thread at a time, the lock of the clock being between two calls.
struct ScheduledAction: @unchecked Sendable {
  let call: () -> Void

  init(_ call: @escaping () -> Void) {
    self.call = call
  }
}
