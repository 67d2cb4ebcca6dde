import ReactiveLifecycle

/// What settled phases are, told from the whole history: the most forward phase that the process
/// has ever been in, for as long as it was there within the last so many seconds; else the one that
/// it is in.
///
/// Knows no deadline: it looks at the history anew at every moment at which something may change.
struct SettleOracle {
  let duration: Int
  private var history: [(phase: LifecyclePhase, instant: Int)]
  private var evaluated = Int.min / 2
  private(set) var published: LifecyclePhase
  /// What was published so far.
  private(set) var told: [LifecyclePhase] = []

  init(_ phase: LifecyclePhase, duration: Int) {
    self.duration = duration
    published = phase
    history = [(phase, Int.min / 2)]
  }

  /// The process moves at an instant, no earlier than the move before; it is told at `now`.
  mutating func move(to phase: LifecyclePhase, at instant: Int, now: Int) {
    time(instant)
    if phase == .terminated {
      tell(history.last!.phase)
      tell(.terminated)
    }
    history.append((phase, instant))
    if phase != .terminated { tell(settled(at: max(evaluated, instant))) }
    time(now)
  }

  /// It is that late.
  mutating func time(_ now: Int) {
    guard history.last!.phase != .terminated else { return }
    for moment in history.map({ $0.instant + duration }) where evaluated < moment && moment <= now {
      tell(settled(at: moment))
    }
    evaluated = max(evaluated, now)
  }

  /// The furthest phase of the history, if it was left within the window or not at all; else the
  /// latest.
  private func settled(at time: Int) -> LifecyclePhase {
    let past = history.filter { $0.instant <= time }
    let furthest = past.map(\.phase).max()!
    let visit = past.lastIndex { $0.phase == furthest }!
    guard visit < past.count - 1 else { return furthest }
    return past[visit + 1].instant + duration > time ? furthest : past.last!.phase
  }

  /// Tells the way to a phase, step by step.
  private mutating func tell(_ phase: LifecyclePhase) {
    let way: [LifecyclePhase] = [.active, .inactive, .background]
    if phase < published {
      told += way.filter { phase < $0 && $0 < published } + [phase]
    } else if phase > published {
      told.append(phase)
    }
    published = phase
  }
}
