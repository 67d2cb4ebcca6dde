import CustomDump
import Testing

@testable import ReactiveLifecycle

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
    var told: [LifecyclePhase] = []
    var steps: [String] = []

    /// Moves at an instant that lies `lag` before now, but not before the last.
    mutating func move(to target: LifecyclePhase, lag: Int) {
      steps.append("\(target) \(lag) ago")
      lastInstant = max(now - lag, lastInstant)
      phase = target
      told += machine.move(to: target, at: .boot + .seconds(lastInstant))
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

    /// What a row does with its timer: the machine is told its own deadlines, and no other time.
    private mutating func ring() {
      while let deadline = machine.deadline, deadline <= .boot + .seconds(now) {
        told += machine.publishDue(at: deadline)
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
    "Every sequence of moves and waits does what the history says, along a legal path",
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
      let path = [phase] + run.told
      let isLegal = zip(path, path.dropFirst()).allSatisfy { Self.moves[$0]!.contains($1) }
      // Nothing waits that is not to come, and the process is nowhere further forward.
      let isWaiting = run.oracle.published != run.phase
      let isRight =
        run.told == run.oracle.told && isLegal && (run.machine.deadline != nil) == isWaiting
        && run.oracle.published >= run.phase
      if !isRight {
        expectNoDifference(run.told, run.oracle.told, "\(run.steps)")
        Issue.record("legal: \(isLegal), waiting: \(isWaiting): \(path), \(run.steps)")
      }
    }
  }

  @Test("Settling twice is settling for the sum", arguments: [LifecyclePhase.background, .active])
  func settlingTwiceAddsTheDurations(from phase: LifecyclePhase) {
    // The second machine hears of the first one's phases at the instants at which they were due.
    let start = Chain(phase)
    explore(start, depth: 6)
  }

  private struct Chain {
    var phase: LifecyclePhase
    var now = 0
    var first: SettleMachine
    var second: SettleMachine
    var sum: SettleMachine
    var twice: [LifecyclePhase] = []
    var once: [LifecyclePhase] = []

    init(_ phase: LifecyclePhase) {
      self.phase = phase
      first = SettleMachine(published: phase, duration: .seconds(1))
      second = SettleMachine(published: phase, duration: .seconds(2))
      sum = SettleMachine(published: phase, duration: .seconds(3))
    }

    mutating func move(to target: LifecyclePhase) {
      phase = target
      let instant = ContinuousInstant.boot + .seconds(now)
      for told in first.move(to: target, at: instant) {
        twice += second.move(to: told, at: instant)
      }
      once += sum.move(to: target, at: instant)
    }

    mutating func advance() {
      now += 1
      let instant = ContinuousInstant.boot + .seconds(now)
      let due = first.publishDue(at: instant)
      twice += second.publishDue(at: instant)
      for told in due { twice += second.move(to: told, at: instant) }
      once += sum.publishDue(at: instant)
    }
  }

  private func explore(_ chain: Chain, depth: Int) {
    guard depth > 0 else { return }
    for target in SettleMachineTests.moves[chain.phase]! {
      var after = chain
      after.move(to: target)
      if after.twice != after.once { expectNoDifference(after.twice, after.once) }
      explore(after, depth: depth - 1)
    }
    for seconds in 1...3 {
      var after = chain
      for _ in 0..<seconds { after.advance() }
      if after.twice != after.once { expectNoDifference(after.twice, after.once) }
      explore(after, depth: depth - 1)
    }
  }

  @Test("A step that is said to come before the one above it does not make that due")
  func instantsOutOfOrder() {
    var machine = SettleMachine(published: .active, duration: .seconds(2))
    expectNoDifference(machine.move(to: .inactive, at: .boot + .seconds(10)), [])
    expectNoDifference(machine.move(to: .background, at: .boot + .seconds(5)), [])
    expectNoDifference(machine.publishDue(at: .boot + .seconds(11)), [])
    expectNoDifference(machine.publishDue(at: .boot + .seconds(12)), [.inactive, .background])
    expectNoDifference(machine.deadline, nil)
  }

  @Test("Without a duration each move is told by itself")
  func noDuration() {
    var machine = SettleMachine(published: .active, duration: .zero)
    for phase in [LifecyclePhase.inactive, .background, .inactive, .active] {
      expectNoDifference(machine.move(to: phase, at: .boot + .seconds(1)), [phase])
      expectNoDifference(machine.deadline, nil)
    }
  }

  @Test("At the end what is due is told; what is not is given up")
  func endDeliversWhatIsDue() {
    var machine = SettleMachine(published: .active, duration: .seconds(2))
    _ = machine.move(to: .inactive, at: .boot + .seconds(10))
    _ = machine.move(to: .background, at: .boot + .seconds(11))
    for (seconds, told) in [(11, []), (12, [LifecyclePhase.inactive, .background])] {
      var ending = machine
      expectNoDifference(ending.end(at: .boot + .seconds(seconds)), told)
      expectNoDifference(ending.deadline, nil)
      expectNoDifference(ending.publishDue(at: .boot + .seconds(20)), [])
    }
  }

  @Test("The largest and the smallest instants and durations don't overflow")
  func extremesDoNotOverflow() {
    let least = Duration(secondsComponent: .min, attosecondsComponent: 0) * 16
    let most = Duration(secondsComponent: .max, attosecondsComponent: 0) * 16
    for instant in [least, most].map(ContinuousInstant.init(timeSinceBoot:)) {
      for duration in [least, most] {
        var machine = SettleMachine(published: .active, duration: duration)
        var told = machine.move(to: .inactive, at: instant)
        told += machine.move(to: .background, at: instant)
        told += machine.move(to: .terminated, at: ContinuousInstant(timeSinceBoot: most))
        expectNoDifference(told, [.inactive, .background, .terminated])
      }
    }
  }
}
