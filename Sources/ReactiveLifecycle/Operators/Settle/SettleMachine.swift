/// A state machine that decides which phases have lasted long enough to be published, without a
/// clock, subscribers, or a lock.
struct SettleMachine {
  private let duration: Duration
  /// The furthest phase so far.
  ///
  /// Leaving it for another phase of the foreground is published when that has lasted for the
  /// duration. Any other change is published at once: in the background, the process may be
  /// suspended.
  private var furthest: LifecyclePhase
  /// The phase that the process is in.
  private var phase: LifecyclePhase
  private var published: LifecyclePhase
  /// The time at which leaving the furthest phase is published, unless the process moves before
  /// that; nil if nothing is pending.
  private(set) var deadline: ContinuousInstant?

  /// - Parameters:
  ///   - phase: The phase that has been published.
  ///   - duration: The time for which a way down lasts before it is published.
  init(published phase: LifecyclePhase, duration: Duration) {
    (furthest, self.phase, published) = (phase, phase, phase)
    self.duration = max(duration, .zero)
  }

  /// Moves one step, to a phase. Returns the phases to publish, in order.
  mutating func move(to phase: LifecyclePhase, at instant: ContinuousInstant) -> [LifecyclePhase] {
    let due = publishDue(at: instant)
    let isLeaving = self.phase == furthest && phase < furthest
    self.phase = phase
    furthest = max(furthest, phase)
    deadline = isLeaving && phase.isForeground ? instant + duration : nil
    return due + (deadline == nil ? publish() : publishDue(at: instant))
  }

  /// Updates the machine to a time before which no further event occurs. Returns the phases to
  /// publish, in order.
  mutating func publishDue(at instant: ContinuousInstant) -> [LifecyclePhase] {
    guard let deadline, deadline <= instant else { return [] }
    self.deadline = nil
    return publish()
  }

  /// Ends the machine at a time, and drops what is not due by then. Returns the phases to publish,
  /// in order.
  mutating func end(at instant: ContinuousInstant) -> [LifecyclePhase] {
    defer { deadline = nil }
    return publishDue(at: instant)
  }

  /// Returns the steps from the phase published last to the current phase of the process.
  private mutating func publish() -> [LifecyclePhase] {
    defer { published = phase }
    if phase > published { return [phase] }
    return Self.wayDown.filter { phase <= $0 && $0 < published }
  }

  private static let wayDown: [LifecyclePhase] = [.active, .inactive, .background, .terminated]
}
