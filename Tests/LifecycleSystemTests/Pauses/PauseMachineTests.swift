import CustomDump
import Testing

@testable import LifecycleSystem

@Suite("Pauses: the machine")
struct PauseMachineTests {
  private let start = SuspendingClock.now

  /// What may happen next, and after how long.
  private enum Step: CaseIterable {
    case beat, lateBeat, verdict, continued, continuedAtOnce, interrupted, interruptedAtOnce
    case resumed, thawed, sameThaw, uncountedThaw

    var delay: Duration {
      switch self {
      case .beat: .seconds(1)
      case .lateBeat: .seconds(5)
      case .verdict: PauseMachine.causeWindow
      case .continued, .interrupted, .resumed, .thawed, .uncountedThaw: .seconds(3)
      case .sameThaw, .continuedAtOnce, .interruptedAtOnce: .milliseconds(1)
      }
    }
  }

  /// What tells whether an input completes the evidence of a `SIGSTOP`.
  private struct Evidence {
    private var sign: (isSignal: Bool, instant: SuspendingClock.Instant)?
    private var explained: SuspendingClock.Instant?

    mutating func explain(at now: SuspendingClock.Instant) {
      (sign, explained) = (nil, now)
    }

    mutating func take(isSignal: Bool, at now: SuspendingClock.Instant) -> Bool {
      func isRecent(_ instant: SuspendingClock.Instant) -> Bool {
        now - instant < PauseMachine.causeWindow
      }
      if !isSignal, let explained, isRecent(explained) { return false }
      guard let sign, isRecent(sign.instant) else {
        self.sign = (isSignal, now)
        return false
      }
      if sign.isSignal != isSignal { self.sign = nil }
      return sign.isSignal != isSignal
    }
  }

  @Test(
    "Every sequence of five steps reports each pause once, with at most the time since the last",
    arguments: [true, false]
  )
  func everyFiveSteps(hasHeartbeat: Bool) {
    func extend(
      _ depth: Int,
      _ machine: PauseMachine,
      _ now: SuspendingClock.Instant,
      _ total: Duration,
      _ accounted: SuspendingClock.Instant,
      _ wasLate: Bool,
      _ evidence: Evidence
    ) {
      guard depth < 5 else { return }
      for step in Step.allCases {
        var (machine, total, evidence) = (machine, total, evidence)
        let now = now + step.delay
        let input: PauseMachine.Input
        switch step {
        case .beat, .lateBeat, .verdict: input = .deadline
        case .continued, .continuedAtOnce: input = .continued
        case .interrupted, .interruptedAtOnce: input = .interrupted
        case .resumed: input = .resumed
        case .thawed:
          total += .seconds(2)
          input = .thawed(total: total)
        case .sameThaw: input = .thawed(total: total)
        case .uncountedThaw: input = .thawed(total: nil)
        }
        let pause = machine.handle(input, at: now)
        switch input {
        case .continued, .interrupted:
          let isComplete = evidence.take(isSignal: input == .continued, at: now)
          expectNoDifference(pause?.cause, isComplete ? .stopped : nil)
        case .resumed:
          evidence.explain(at: now)
          expectNoDifference(pause, nil)
        case .thawed(nil):
          evidence.explain(at: now)
          expectNoDifference(pause?.cause, .frozen)
        case .thawed:
          if step == .thawed { evidence.explain(at: now) }
          expectNoDifference(
            pause,
            step == .thawed ? .init(cause: .frozen, time: .seconds(2)) : nil
          )
        case .deadline:
          if let pause { #expect(pause.cause == .unknown && wasLate && hasHeartbeat) }
        }
        if let time = pause?.time { #expect(time <= now - accounted) }
        if pause != nil, !hasHeartbeat, pause?.cause != .frozen {
          expectNoDifference(pause?.time, nil)
        }
        let isSettled = pause != nil || input == .resumed
        extend(
          depth + 1,
          machine,
          now,
          total,
          isSettled ? now : accounted,
          !isSettled && (wasLate || step == .lateBeat || !(step == .beat || step == .verdict)),
          evidence
        )
      }
    }
    let machine = PauseMachine(
      heartbeat: hasHeartbeat ? .seconds(1) : nil,
      frozenTime: .zero,
      at: start
    )
    extend(0, machine, start, .zero, start, false, Evidence())
  }

  @Test("A gap of two intervals is a pause of unknown cause, with its whole time")
  func leastGap() {
    for isGap in [false, true] {
      var machine = PauseMachine(heartbeat: .seconds(1), at: start)
      let late = start + .seconds(2) - (isGap ? .zero : .nanoseconds(1))
      expectNoDifference(machine.handle(.deadline, at: late), nil)
      let pause = machine.handle(.deadline, at: late + .seconds(1))
      expectNoDifference(pause, isGap ? .init(cause: .unknown, time: .seconds(2)) : nil)
    }
  }

  @Test("A deadline that comes early does not end the wait for a cause")
  func earlyDeadline() {
    var machine = PauseMachine(heartbeat: .seconds(1), at: start)
    expectNoDifference(machine.handle(.deadline, at: start + .seconds(4)), nil)
    expectNoDifference(machine.handle(.deadline, at: start + .seconds(4) + .milliseconds(1)), nil)
    expectNoDifference(machine.deadline, start + .seconds(4) + PauseMachine.causeWindow)
    expectNoDifference(machine.handle(.continued, at: start + .milliseconds(4_002)), nil)
    let pause = machine.handle(.interrupted, at: start + .milliseconds(4_003))
    expectNoDifference(pause, .init(cause: .stopped, time: .seconds(4)), "one pause")
  }

  @Test("A SIGCONT and an interruption are one SIGSTOP, whose time only a heartbeat shows")
  func stop() {
    for heartbeat in [nil, Duration.seconds(60)] {
      var machine = PauseMachine(heartbeat: heartbeat, at: start)
      expectNoDifference(machine.handle(.continued, at: start + .seconds(5)), nil)
      let pause = machine.handle(.interrupted, at: start + .seconds(5))
      expectNoDifference(pause, .init(cause: .stopped, time: heartbeat.map { _ in .seconds(5) }))
    }
  }

  @Test("A freeze with a SIGCONT and an interruption is one pause by the freezer, in any order")
  func explainedInterruption() {
    let inputs: [PauseMachine.Input] = [.thawed(total: .seconds(2)), .interrupted, .continued]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 0, 1]] {
      var machine = PauseMachine(heartbeat: nil, frozenTime: .zero, at: start)
      let pauses = order.compactMap { machine.handle(inputs[$0], at: start + .seconds(3)) }
      expectNoDifference(pauses, [.init(cause: .frozen, time: .seconds(2))], "\(order)")
    }
  }

  @Test("Without an earlier count, the whole time that the group was frozen is the pause")
  func countAppears() {
    var machine = PauseMachine(heartbeat: nil, frozenTime: nil, at: start)
    let pause = machine.handle(.thawed(total: .seconds(2)), at: start + .seconds(3))
    expectNoDifference(pause, .init(cause: .frozen, time: .seconds(2)))
    // The time that another control group was frozen before is no pause.
    machine.changeGroup(frozenTime: .seconds(60))
    let next = machine.handle(.thawed(total: .seconds(61)), at: start + .seconds(6))
    expectNoDifference(next, .init(cause: .frozen, time: .seconds(1)))
  }

  @Test("A thaw that the kernel reports twice is one pause, with or without its count")
  func thawTwice() {
    for total in [Duration.seconds(2), nil] {
      var machine = PauseMachine(heartbeat: nil, frozenTime: .zero, at: start)
      expectNoDifference(
        machine.handle(.thawed(total: total), at: start + .seconds(3))?.time,
        total
      )
      expectNoDifference(
        machine.handle(.thawed(total: total), at: start + .milliseconds(3_001)),
        nil
      )
    }
  }
}
