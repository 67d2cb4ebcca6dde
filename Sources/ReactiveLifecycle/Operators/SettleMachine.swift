/// Decides which phases have lasted long enough to be told. It knows no clock, no subscriber and no
/// lock.
struct SettleMachine {
  /// A phase further down than the one announced last.
  private struct Step {
    let phase: LifecyclePhase
    /// When it is to be announced, if nothing takes it back.
    let deadline: Duration
  }

  private let duration: Duration
  /// The way down from the phase announced last to the one that the process is in: at most two steps,
  /// from `active` to `background`. A step waits for those above it, whatever its instant.
  private var pending: [Step] = []
  private var announced: LifecyclePhase

  /// - Parameters:
  ///   - phase: What has been announced.
  ///   - duration: How long a way down lasts before it is announced.
  init(announced phase: LifecyclePhase, duration: Duration) {
    announced = phase
    self.duration = max(duration, .zero).clamped
  }

  /// When the next phase is due; nil when none is pending.
  var deadline: Duration? { pending.first?.deadline }

  /// The process has moved one step. Returns what is to be announced, in order.
  mutating func move(to phase: LifecyclePhase, at instant: Duration) -> [LifecyclePhase] {
    var phases = timeCame(instant)
    pending.removeAll { $0.phase < phase }
    if phase == .terminated {
      phases += pending.map(\.phase) + [phase]
      pending = []
      announced = phase
    } else if phase > announced {
      phases.append(phase)
      announced = phase
    } else if phase < pending.last?.phase ?? announced {
      pending.append(Step(phase: phase, deadline: instant.clamped + duration))
      phases += timeCame(instant)
    }
    return phases
  }

  /// It is that late, and all that happened before has been told. Returns what is to be announced, in
  /// order.
  mutating func timeCame(_ instant: Duration) -> [LifecyclePhase] {
    let due = pending.prefix { $0.deadline <= instant.clamped }
    pending.removeFirst(due.count)
    announced = due.last?.phase ?? announced
    return due.map(\.phase)
  }

  /// It is that late, and nothing more will be told: what is not due is given up. Returns what is to
  /// be announced, in order.
  mutating func end(at instant: Duration) -> [LifecyclePhase] {
    defer { pending = [] }
    return timeCame(instant)
  }
}
