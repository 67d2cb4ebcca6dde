/// What a scheduler is to be told that launches the process once for each request. Pure.
///
/// The scheduler is told by one thread at a time, the one that was told to act; what is decided
/// meanwhile follows, so that the last word counts.
struct FetchSubmissionMachine: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// Submit a request, in the place of the one before, that is due after that time.
    case submit(after: Duration)
    /// Take the request back.
    case cancel
  }

  /// Nil for never.
  private var interval: Duration?
  private var wanted: Action?
  private var isActing = false

  /// - Returns: Whether the caller is to act: do what ``next()`` says, until that is nil.
  mutating func setInterval(_ interval: Duration?) -> Bool {
    self.interval = interval
    return want(interval.map { .submit(after: $0) } ?? .cancel)
  }

  /// The process was launched, for which the request was used up.
  ///
  /// - Returns: Whether the caller is to act.
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
