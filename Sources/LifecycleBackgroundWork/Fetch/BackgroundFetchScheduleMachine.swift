import ReactiveLifecycle

/// When a scheduler begins its fetches. Pure.
struct BackgroundFetchScheduleMachine: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// Begin a fetch; say `finish` of this number.
    case begin(Int)
    /// Say `next` again at that time; nil for never.
    case wait(until: ContinuousInstant?)
  }

  /// What is no later than this is on time.
  static let tolerance = Duration.milliseconds(100)

  /// Nil for never.
  private var interval: Duration?
  /// When the last fetch began, or was to; without one, when the interval was set.
  private var last: ContinuousInstant?
  private var hasFetched: Bool
  private var running: Int?
  private var lastNumber = 0
  /// Whether a fetch is welcome now: the phase is right, and there is a handler.
  var isInPhase = false
  var hasHandler = false
  private var hasEnded = false

  /// - Parameter last: When the last fetch began, maybe before the clock began to count; nil if there
  ///   has been none.
  init(last: ContinuousInstant?) {
    self.last = last
    hasFetched = last != nil
  }

  mutating func setInterval(_ interval: Duration?, at now: ContinuousInstant) {
    if !hasFetched, self.interval == nil { last = now }
    self.interval = interval
  }

  mutating func next(at now: ContinuousInstant) -> Action {
    guard let interval, let last, isInPhase, hasHandler, running == nil, !hasEnded else {
      return .wait(until: nil)
    }
    let due = last + interval
    // Not `now >= due`: where the clock has reached its limit, that would hold again and again.
    guard now - last >= interval.clamped else { return .wait(until: due) }
    // What is late for another reason than the timer's is one fetch, from which the next is counted.
    self.last = now - due > Self.tolerance ? now : due
    hasFetched = true
    lastNumber += 1
    running = lastNumber
    return .begin(lastNumber)
  }

  /// - Returns: Whether this was the end of the fetch under way.
  @discardableResult
  mutating func finish(_ number: Int) -> Bool {
    guard running == number else { return false }
    running = nil
    return true
  }

  mutating func end() { hasEnded = true }
}
