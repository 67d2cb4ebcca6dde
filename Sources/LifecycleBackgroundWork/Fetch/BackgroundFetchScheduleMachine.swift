import ReactiveLifecycle

/// A pure state machine that decides when a scheduler begins its fetches.
struct BackgroundFetchScheduleMachine: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// Begin a fetch, and call `finish` with this number.
    case begin(Int)
    /// Call `next` again at this time; nil for never.
    case wait(until: ContinuousInstant?)
  }

  /// The largest delay with which a fetch is still on time.
  static let tolerance = Duration.milliseconds(100)

  /// The minimum interval; nil for never.
  private var interval: Duration?
  /// The time when the last fetch began, or was due; without one, the time when the interval was
  /// set.
  private var last: ContinuousInstant?
  private var hasFetched: Bool
  private var running: Int?
  private var lastNumber = 0
  /// A Boolean value that indicates whether the phase allows a fetch, which also requires a
  /// handler.
  var isInPhase = false
  var hasHandler = false
  private var hasEnded = false

  /// - Parameter last: The time when the last fetch began, possibly before the clock began to
  ///   count; nil if there has been none.
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
    // The condition is not `now >= due`: once the clock has reached its limit, that would hold
    // again and again.
    guard now - last >= interval.clamped else { return .wait(until: due) }
    // Delays that are not due to the timer result in one fetch, from which the next one is counted.
    self.last = now - due > Self.tolerance ? now : due
    hasFetched = true
    lastNumber += 1
    running = lastNumber
    return .begin(lastNumber)
  }

  /// - Returns: Whether this call ended the fetch under way.
  @discardableResult
  mutating func finish(_ number: Int) -> Bool {
    guard running == number else { return false }
    running = nil
    return true
  }

  mutating func end() { hasEnded = true }
}
