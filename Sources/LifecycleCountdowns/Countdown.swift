public import ReactiveLifecycle

/// A countdown that stays right whatever happens to the process.
///
/// It ends at a fixed moment of the continuous clock, so that it neither drifts nor stands still while
/// the process is suspended or the device asleep, and no one can set it forward or back by setting the
/// wall clock.
///
/// ```swift
/// let rental = Countdown(.seconds(300), of: bus)
/// rental.states.sink { state in show(state.remaining) }.store(in: scope)
/// rental.start()  // 300, 299, …
/// ```
///
/// While it runs, ``states`` tells of it at every whole interval of what *remains*. In the background no
/// timer is armed, unless ``BackgroundBehavior`` says otherwise; the return to the foreground brings one
/// tick at once, after everybody has been told of the return, and a countdown that has ended meanwhile
/// finishes then: once, with nothing remaining.
///
/// All countdowns of a bus share one timer of its clock. Starting, cancelling and extending one is
/// O(log n) in the countdowns that run; a tick costs what is due. Countdowns finish in the order of
/// their ends, and those with the same end in the order of their start, even if the process was stopped
/// or the device was asleep in the meantime.
///
/// Every method may be called on any thread, and from inside what a state brings about. Those who
/// observe the states are told where the bus delivers; by the call itself when that is there and the
/// bus is not delivering.
///
/// Releasing a countdown cancels it; its states finish. It does not keep the bus alive. When the bus has
/// ended nobody is told anything any more, but ``state`` remains exact.
public final class Countdown: Sendable {
  package let core: CountdownCore

  /// An idle countdown: ``start()`` starts it.
  ///
  /// - Parameters:
  ///   - duration: How long it lasts: 73 years at the most, and nothing at the least.
  ///   - bus: Says when the process is in the background, and delivers the states. Its clock counts. A
  ///     phase that is `unknown` does not count as background.
  ///   - tickInterval: The time between two ticks; nil for none but the end. One that is not positive
  ///     is reported at the caller's line, and stands for nil.
  ///   - behavior: What happens in the background.
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
      CallSite(fileID: fileID, filePath: filePath, line: line, column: column).report(
        """
        A countdown can't tick every \(tickInterval): the interval must be positive, or nil for no \
        ticks. This one will only finish.
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
  }

  deinit {
    core.queue.release(core)
  }

  // MARK: What is asked of it

  /// Starts an idle countdown. One that runs, is paused or has finished is left alone, so that it may
  /// be called whenever a screen appears; ``restart()`` begins anew.
  public func start() {
    core.perform(endsRun: true) { $0.start(at: $1) }
  }

  /// Starts from the whole duration, whatever the countdown is doing.
  public func restart() {
    core.perform(endsRun: true) { $0.restart(at: $1) }
  }

  /// Keeps what remains until ``resume()``. It does nothing unless the countdown runs.
  public func pause() {
    core.perform { $0.pause(at: $1) }
  }

  /// Goes on after ``pause()``. It does nothing unless the countdown is paused.
  public func resume() {
    core.perform { $0.resume(at: $1) }
  }

  /// Moves the end of a countdown that runs or is paused; it does nothing to others.
  ///
  /// - Parameter duration: Added to what remains; a negative one takes from it, and finishes the
  ///   countdown if nothing is left.
  public func extend(by duration: Duration) {
    let time = duration.nanosecondsRoundedUp
    core.perform { $0.extend(by: time, at: $1) }
  }

  /// Makes the countdown idle again, with the whole duration remaining. One whose time has come has
  /// finished before that, even if nobody has been told yet: they are told of both. If a
  /// tick is being published, subscribers that have not received it yet do not receive it.
  public func cancel() {
    core.perform(endsRun: true) { machine, _ in machine.cancel() }
  }

  // MARK: How it stands

  /// How the countdown stands now, exactly. Any thread; O(1).
  public var state: State { core.state }

  /// How much remains now, exactly: never negative, and zero once it has finished. Any thread; O(1).
  public var remaining: Duration { state.remaining }

  /// How the countdown stands, then each change and each tick. Where the bus delivers.
  ///
  /// While it runs, what remains is told in whole intervals: the boundary that was passed last. That it
  /// has finished is told once a run. A subscriber that is slow to ask gets the latest.
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
    LifecyclePublisher(fedBy: core, on: core.queue.bus, keepsLatestOnly: true)
  }
}
