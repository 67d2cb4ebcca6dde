import CustomDump
import Testing

@testable import LifecycleSystem

@Suite("Pauses: the machine")
struct PauseMachineTests {
  private let start = SuspendingClock.now

  /// What may happen next, and after how long.
  private enum Step: CaseIterable {
    case beat, lateBeat, verdict, continued, resumed, thawed, sameThaw, uncountedThaw

    var delay: Duration {
      switch self {
      case .beat: .seconds(1)
      case .lateBeat: .seconds(5)
      case .verdict: PauseMachine.patience
      case .continued, .resumed, .thawed, .uncountedThaw: .seconds(3)
      case .sameThaw: .milliseconds(1)
      }
    }
  }

  @Test(
    "Every six steps report each pause once, with no more than the time since the last",
    arguments: [true, false]
  )
  func everySixSteps(hasHeartbeat: Bool) {
    func extend(
      _ depth: Int,
      _ machine: PauseMachine,
      _ now: SuspendingClock.Instant,
      _ total: Duration,
      _ accounted: SuspendingClock.Instant,
      _ wasLate: Bool
    ) {
      guard depth < 6 else { return }
      for step in Step.allCases {
        var (machine, total) = (machine, total)
        let now = now + step.delay
        let input: PauseMachine.Input
        switch step {
        case .beat, .lateBeat, .verdict: input = .deadline
        case .continued: input = .continued
        case .resumed: input = .resumed
        case .thawed:
          total += .seconds(2)
          input = .thawed(total: total)
        case .sameThaw: input = .thawed(total: total)
        case .uncountedThaw: input = .thawed(total: nil)
        }
        let pause = machine.handle(input, at: now)
        switch input {
        case .continued: expectNoDifference(pause?.cause, .stopped)
        case .resumed: expectNoDifference(pause, nil)
        case .thawed(nil): expectNoDifference(pause?.cause, .frozen)
        case .thawed:
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
          !isSettled && (wasLate || step == .lateBeat || !(step == .beat || step == .verdict))
        )
      }
    }
    let machine = PauseMachine(
      heartbeat: hasHeartbeat ? .seconds(1) : nil,
      frozenTime: .zero,
      at: start
    )
    extend(0, machine, start, .zero, start, false)
  }

  @Test("A gap begins at two intervals, and is a pause after a while, with its whole time")
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
    expectNoDifference(machine.deadline, start + .seconds(4) + PauseMachine.patience)
    let continued = machine.handle(.continued, at: start + .seconds(4) + .milliseconds(2))
    expectNoDifference(continued, .init(cause: .stopped, time: .seconds(4)), "one pause")
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
