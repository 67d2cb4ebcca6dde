/// A state machine that decides when to submit requests to a scheduler.
///
/// The scheduler launches the process once per request. The machine is pure: it makes no system
/// calls. One thread at a time calls the scheduler: the thread that is instructed to act. Decisions
/// made meanwhile follow, so that the last one takes effect.
struct FetchSubmissionMachine: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// Submit a request that is due after the given time and replaces the one before.
    case submit(after: Duration)
    /// Cancel the request.
    case cancel
  }

  /// The minimum interval; nil for never.
  private var interval: Duration?
  private var wanted: Action?
  private var isActing = false

  /// - Returns: True if the caller is to act: to perform the actions of ``next()`` until it returns
  ///   nil.
  mutating func setInterval(_ interval: Duration?) -> Bool {
    self.interval = interval
    return want(interval.map { .submit(after: $0) } ?? .cancel)
  }

  /// Records that the process was launched, which uses up the request.
  ///
  /// - Returns: True if the caller is to act.
  mutating func launch() -> Bool {
    guard let interval else { return false }
    return want(.submit(after: interval))
  }

  mutating func next() -> Action? {
    let action = wanted.take()
    isActing = action != nil
    return action
  }

  private mutating func want(_ action: Action) -> Bool {
    wanted = action
    defer { isActing = true }
    return !isActing
  }
}
