import CustomDump
import ReactiveLifecycle
import Testing

@testable import LifecycleCountdowns

@Suite("Countdown machine")
struct CountdownMachineTests {
  private enum Input: Hashable {
    case command(CountdownOracle.Command)
    case background, foreground
    /// The timer goes off on the way, when it is due.
    case pass(Int)
    /// The timer goes off later than that.
    case passUnseen(Int)
  }

  private static let inputs: [Input] =
    CountdownOracle.Command.allCases.map(Input.command) + [
      .background, .foreground, .pass(1), .pass(3), .passUnseen(2),
    ]

  /// A machine, driven as the queue drives it, and what must become of it.
  private struct Run {
    var machine: CountdownMachine
    var oracle: CountdownOracle
    var now = 100
    var wake = CountdownHeap.none
    var isAway = false
    var inputs: [Input] = []
    var told: [CountdownOracle.Told] = []
    var expected: [CountdownOracle.Told] = []

    init(_ behavior: Countdown.BackgroundBehavior, total: Int, interval: Int) {
      machine = CountdownMachine(
        total: Int64(total),
        interval: Int64(interval),
        behavior: behavior
      )
      oracle = CountdownOracle(total: total, interval: interval, behavior: behavior)
    }

    /// Says whether anything has changed.
    mutating func take(_ input: Input) -> Bool {
      inputs.append(input)
      let before = (machine, oracle, now)
      told = []
      expected = []
      switch input {
      case .command(let command):
        perform(command)
        expected = oracle.command(command, by: 3, now)
      case .background where !isAway:
        isAway = true
        settle()
        if let state = machine.enterBackground(at: moment) { tell(state) }
        wake = machine.wake(after: moment)
        expected = oracle.enterBackground(now)
        // The queue takes note of the end of those alone that are to be held.
        if machine.behavior != .pause { expected = oracle.settle(now) }
      case .foreground where isAway:
        isAway = false
        machine.enterForeground(at: moment)
        oracle.enterForeground(now)
        look()
        expected = oracle.tellReturn(now)
      case .background, .foreground: break
      case .pass(let time):
        for _ in 0..<time {
          now += 1
          if isDue { look() }
          expected += oracle.look(now, isLate: true)
        }
      case .passUnseen(let time): now += time
      }
      return before != (machine, oracle, now)
    }

    private var moment: Int64 { Int64(now) }

    private var isDue: Bool {
      guard isAway else { return wake <= moment }
      return machine.behavior == .finishOnTime && (machine.deadline ?? .max) <= moment
    }

    private mutating func look() {
      if !settle(), machine.isCounting { tell(machine.tick(at: moment)) }
      wake = machine.wake(after: moment)
    }

    @discardableResult
    private mutating func settle() -> Bool {
      guard machine.settle(at: moment) else { return false }
      tell(machine.state(at: moment))
      wake = CountdownHeap.none
      return true
    }

    private mutating func tell(_ state: Countdown.State) {
      told.append(.state(state.status, Int(state.remaining / .nanoseconds(1))))
    }

    private mutating func perform(_ command: CountdownOracle.Command) {
      settle()
      if isAway {
        _ = machine.enterBackground(at: moment)
      } else {
        machine.enterForeground(at: moment)
      }
      let state: Countdown.State? =
        switch command {
        case .start: machine.start(at: moment)
        case .restart: machine.restart(at: moment)
        case .pause: machine.pause(at: moment)
        case .resume: machine.resume(at: moment)
        case .extend: machine.extend(by: 3, at: moment)
        case .shorten: machine.extend(by: -3, at: moment)
        case .cancel: machine.cancel()
        }
      guard let state else { return }
      tell(state)
      wake = machine.wake(after: moment)
    }

    var isRight: Bool {
      let state = machine.state(at: moment)
      return told == expected
        && .state(state.status, Int(state.remaining / .nanoseconds(1)))
          == oracle.state(now)
    }
  }

  private func explore(_ run: Run, depth: Int, _ count: inout Int, _ failures: inout Int) {
    guard depth > 0, failures < 3 else { return }
    for input in Self.inputs {
      var after = run
      // What changes nothing need not be followed: the rest is a shorter sequence.
      let hasChanged = after.take(input)
      count += 1
      if !after.isRight {
        failures += 1
        expectNoDifference(after.told, after.expected, "\(after.inputs)")
        Issue.record(
          """
          \(after.inputs): \(after.machine.state(at: Int64(after.now))) is not \
          \(after.oracle.state(after.now))
          """
        )
      } else if hasChanged {
        explore(after, depth: depth - 1, &count, &failures)
      }
    }
  }

  @Test(
    "Every sequence of six inputs does what a deadline and an amount say",
    arguments: Countdown.BackgroundBehavior.allCases
  )
  func everySequence(_ behavior: Countdown.BackgroundBehavior) {
    var failures = 0
    var count = 0
    explore(Run(behavior, total: 5, interval: 2), depth: 6, &count, &failures)
    #expect(count > 200_000)
  }

  @Test(
    "Without ticks, with ticks as long as the countdown or longer, and with nothing to count",
    arguments: [(5, 0), (3, 3), (3, 5), (0, 1)]
  )
  func otherIntervals(total: Int, interval: Int) {
    for behavior in Countdown.BackgroundBehavior.allCases {
      var failures = 0
      var count = 0
      explore(Run(behavior, total: total, interval: interval), depth: 4, &count, &failures)
    }
  }
}
