import CustomDump
import Testing

@testable import LifecycleCore

@Suite("Settle machine")
struct SettleMachineTests {
  /// The edges of the diagram, written out.
  static let moves: [LifecyclePhase: [LifecyclePhase]] = [
    .unknown: [.background, .terminated],
    .background: [.inactive, .terminated],
    .inactive: [.active, .background],
    .active: [.inactive],
    .terminated: [],
  ]

  /// One machine and what it made of a sequence.
  private struct Run {
    var machine: SettleMachine
    var oracle: SettleOracle
    var phase: LifecyclePhase
    var now = 0
    var lastInstant = 0
    var received: [LifecyclePhase] = []
    var steps: [String] = []

    /// Moves at an instant that lies `lag` before now, but not before the last.
    mutating func move(to target: LifecyclePhase, lag: Int) {
      steps.append("\(target) \(lag) ago")
      lastInstant = max(now - lag, lastInstant)
      phase = target
      received += machine.move(to: target, at: .boot + .seconds(lastInstant))
      ring()
      oracle.move(to: target, at: lastInstant, now: now)
    }

    mutating func advance(by time: Int, ringing: Bool) {
      steps.append("+\(time)\(ringing ? "" : ", timer held up")")
      now += time
      guard ringing else { return }
      ring()
      oracle.time(now)
    }

    /// What a row does with its timer: the machine receives its own deadlines, and no other time.
    private mutating func ring() {
      while let deadline = machine.deadline, deadline <= .boot + .seconds(now) {
        received += machine.publishDue(at: deadline)
      }
    }
  }

  private func explore(_ run: Run, depth: Int, visit: (Run) -> Void) {
    guard depth > 0 else { return }
    func go(_ change: (inout Run) -> Void) {
      var after = run
      change(&after)
      visit(after)
      explore(after, depth: depth - 1, visit: visit)
    }
    for target in Self.moves[run.phase]! {
      for lag in 0...1 { go { $0.move(to: target, lag: lag) } }
    }
    for time in 1...3 {
      for ringing in [true, false] { go { $0.advance(by: time, ringing: ringing) } }
    }
  }

  @Test(
    "Settled phases in every sequence of moves and waits are those of the history",
    arguments: LifecyclePhase.allCases.filter { $0 != .terminated },
    [0, 2]
  )
  func everySequence(from phase: LifecyclePhase, duration: Int) {
    let start = Run(
      machine: SettleMachine(published: phase, duration: .seconds(duration)),
      oracle: SettleOracle(phase, duration: duration),
      phase: phase
    )
    explore(start, depth: duration == 0 ? 3 : 5) { run in
      let path = [phase] + run.received
      let isLegal = zip(path, path.dropFirst()).allSatisfy { Self.moves[$0]!.contains($1) }
      // Nothing waits that is not to come, and the process is nowhere further forward.
      let isWaiting = run.oracle.published != run.phase
      let isRight =
        run.received == run.oracle.received && isLegal && (run.machine.deadline != nil) == isWaiting
        && run.oracle.published >= run.phase
      if !isRight {
        expectNoDifference(run.received, run.oracle.received, "\(run.steps)")
        Issue.record("legal: \(isLegal), waiting: \(isWaiting): \(path), \(run.steps)")
      }
    }
  }

  @Test("A return with an earlier instant than the way down takes it back")
  func instantsOutOfOrder() {
    var machine = SettleMachine(published: .active, duration: .seconds(2))
    expectNoDifference(machine.move(to: .inactive, at: .boot + .seconds(10)), [])
    expectNoDifference(machine.move(to: .active, at: .boot + .seconds(5)), [])
    expectNoDifference(machine.deadline, nil)
    expectNoDifference(machine.publishDue(at: .boot + .seconds(12)), [])
  }

  @Test("The extreme instants and durations don't overflow")
  func extremesDoNotOverflow() {
    let least = Duration(secondsComponent: .min, attosecondsComponent: 0) * 16
    let most = Duration(secondsComponent: .max, attosecondsComponent: 0) * 16
    for instant in [least, most].map(ContinuousInstant.init(timeSinceBoot:)) {
      for duration in [least, most] {
        var machine = SettleMachine(published: .active, duration: duration)
        var received = machine.move(to: .inactive, at: instant)
        received += machine.move(to: .background, at: instant)
        received += machine.move(to: .terminated, at: ContinuousInstant(timeSinceBoot: most))
        expectNoDifference(received, [.inactive, .background, .terminated])
      }
    }
  }
}

/// What settled phases are, by the whole history: the most forward phase that the process has ever
/// been in, for as long as it was there within the last so many seconds and has not been in the
/// background since; else the one that it is in.
///
/// Knows no deadline: it looks at the history anew at every moment at which something may change.
private struct SettleOracle {
  let duration: Int
  private var history: [(phase: LifecyclePhase, instant: Int)]
  private var evaluated = Int.min / 2
  private(set) var published: LifecyclePhase
  /// The phases that were published so far.
  private(set) var received: [LifecyclePhase] = []

  init(_ phase: LifecyclePhase, duration: Int) {
    self.duration = duration
    published = phase
    history = [(phase, Int.min / 2)]
  }

  /// The process moves at an instant, no earlier than the move before. It is noticed at `now`.
  mutating func move(to phase: LifecyclePhase, at instant: Int, now: Int) {
    time(instant)
    if phase == .terminated {
      publish(history.last!.phase)
      publish(.terminated)
    }
    history.append((phase, instant))
    if phase != .terminated { publish(settled(at: max(evaluated, instant))) }
    time(now)
  }

  /// It is that late.
  mutating func time(_ now: Int) {
    guard history.last!.phase != .terminated else { return }
    for moment in history.map({ $0.instant + duration }) where evaluated < moment && moment <= now {
      publish(settled(at: moment))
    }
    evaluated = max(evaluated, now)
  }

  /// The furthest phase of the history, if it was left within the window, and not for the
  /// background, or not at all; else the latest.
  private func settled(at time: Int) -> LifecyclePhase {
    let past = history.filter { $0.instant <= time }
    let furthest = past.map(\.phase).max()!
    let visit = past.lastIndex { $0.phase == furthest }!
    let since = past[(visit + 1)...]
    guard let left = since.first, left.instant + duration > time else { return past.last!.phase }
    return since.contains { $0.phase == .background } ? past.last!.phase : furthest
  }

  /// Publishes the way to a phase, step by step.
  private mutating func publish(_ phase: LifecyclePhase) {
    let way: [LifecyclePhase] = [.active, .inactive, .background]
    if phase < published {
      received += way.filter { phase < $0 && $0 < published } + [phase]
    } else if phase > published {
      received.append(phase)
    }
    published = phase
  }
}
