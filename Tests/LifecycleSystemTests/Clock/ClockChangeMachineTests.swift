import CustomDump
import LifecycleProcess
import Testing

@testable import LifecycleSystem

@Suite("Sleep and clock changes: the machine")
struct ClockChangeMachineTests {
  private static let second: Int64 = 1_000_000_000

  /// What may happen between two readings, in nanoseconds.
  enum Step: CaseIterable {
    case awake, slow, sleep, forward, back, small, sleepAndShift

    var asleep: Int64 {
      switch self {
      case .sleep, .sleepAndShift: 5 * second
      default: 0
      }
    }

    var shift: Int64 {
      switch self {
      case .forward: second
      case .back: -2 * second
      case .small: second / 16
      case .sleepAndShift: second / 2
      default: 0
      }
    }
  }

  @Test("Every sequence of five steps reports sleep and shifts once; small shifts add up")
  func everyFiveSteps() {
    var count = 0
    func extend(
      _ steps: [Step],
      _ machine: ClockChangeMachine,
      _ reading: ClockReading,
      _ unreported: Int64
    ) {
      guard steps.count < 5 else {
        count += 1
        return
      }
      for step in Step.allCases {
        var (machine, reading) = (machine, reading)
        // A slow correction moves all clocks alike.
        let awake = step == .slow ? second + second / 2_000 : second
        reading.moment.suspending += awake
        reading.moment.continuous += awake + step.asleep
        reading.moment.wall += awake + step.asleep + step.shift
        let shift = unreported + step.shift
        let isReported = abs(shift) >= ClockChangeMachine.leastShift
        var expected: [ClockChangeMachine.Change] = []
        if step.asleep > 0 { expected.append(.sleep(.nanoseconds(step.asleep))) }
        if isReported { expected.append(.shift(.nanoseconds(shift))) }
        let changes = machine.handle(reading)
        expectNoDifference(changes, expected, "\(steps + [step])")
        extend(steps + [step], machine, reading, isReported ? 0 : shift)
      }
    }
    let second = Self.second
    let start = ClockReading(
      moment: SignalMoment(continuous: 100 * second, suspending: 90 * second, wall: 1_000 * second),
      width: 0
    )
    extend([], ClockChangeMachine(start), start, 0)
    expectNoDifference(count, 16_807)
  }

  @Test("A difference within the time that a reading took is not reported")
  func wideReading() {
    let start = ClockReading(moment: .init(continuous: 0, suspending: 0, wall: 0), width: 0)
    var machine = ClockChangeMachine(start)
    let late = ClockReading(
      moment: .init(continuous: 150_000_000, suspending: 0, wall: 0),
      width: 200_000_000
    )
    expectNoDifference(machine.handle(late), [])
  }
}
