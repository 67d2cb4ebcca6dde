import CustomDump
import ReactiveLifecycle
import Testing

@testable import LocationReminder

@Suite("Which fixes a receiver sees")
struct LocationTrackMachineTests {
  enum Input: CaseIterable {
    case on, off
    /// Time, of which the process sees every moment.
    case half, two
    /// Time in which the process was stopped.
    case stop
  }

  /// A receiver that looks at each fix by itself: it was seen if the receiver was on at its time and the
  /// process not stopped. Times are in half seconds; fixes are a second apart.
  private struct Oracle {
    var now = 0
    var start: Int?
    var isOn = false
    var seen: [Int] = []
    let count: Int

    mutating func apply(_ input: Input) {
      switch input {
      case .on:
        isOn = true
        if start == nil { start = now }
        see(at: now)
      case .off: isOn = false
      case .half: pass(1)
      case .two: pass(4)
      case .stop:
        now += 7
        see(at: now)
      }
    }

    private mutating func pass(_ halves: Int) {
      for _ in 0..<halves {
        now += 1
        see(at: now)
      }
    }

    private mutating func see(at moment: Int) {
      guard isOn, let start, (moment - start).isMultiple(of: 2) else { return }
      let index = (moment - start) / 2
      if index < count, seen.last != index { seen.append(index) }
    }
  }

  @Test("Every input sequence up to length 6 against an oracle")
  func everyInputSequenceAgainstOracle() {
    var sequences = 0
    func go(_ inputs: [Input]) {
      sequences += 1
      check(inputs)
      guard inputs.count < 6 else { return }
      for input in Input.allCases { go(inputs + [input]) }
    }
    go([])
    expectNoDifference(sequences, 19_531)
  }

  private func check(_ inputs: [Input]) {
    var machine = TrackMachine(straightTrack(6), rate: 1)
    var oracle = Oracle(count: 6)
    var now = ContinuousInstant.boot + .seconds(1000)
    var seen: [Int] = []
    var wasOver = false
    func look() {
      while let fix = machine.nextFix(at: now) { seen.append(Int(fix.time / .seconds(1))) }
      // The end is never taken back.
      let isOver = machine.isOver(at: now)
      if wasOver, !isOver { Issue.record("\(inputs)") }
      wasOver = isOver
    }
    func pass(_ duration: Duration) {
      let end = now + duration
      // As timers do.
      while let deadline = machine.deadline, deadline > now, deadline < end {
        now = deadline
        look()
      }
      now = end
    }
    for input in inputs {
      switch input {
      case .on: machine.switchOn(at: now)
      case .off: machine.switchOff()
      case .half: pass(.milliseconds(500))
      case .two: pass(.seconds(2))
      case .stop: now += .milliseconds(3500)
      }
      look()
      oracle.apply(input)
    }
    if seen != oracle.seen { Issue.record("\(inputs): \(seen), not \(oracle.seen)") }
    let end = oracle.start.map { $0 + 10 }
    if machine.isOver(at: now) != (end.map { $0 <= oracle.now } ?? false) {
      Issue.record("\(inputs): over")
    }
  }

  @Test("The rate divides the times, and nothing drifts")
  func rateDividesTimesAndNothingDrifts() {
    var machine = TrackMachine(straightTrack(600), rate: 50)
    machine.switchOn(at: .boot)
    var deadlines: [ContinuousInstant] = []
    while let deadline = machine.deadline, !machine.isOver(at: deadlines.last ?? .boot) {
      // Each look is 3 ms late.
      deadlines.append(deadline)
      while machine.nextFix(at: deadline + .milliseconds(3)) != nil {}
    }
    expectNoDifference(deadlines.count, 600)
    expectNoDifference(deadlines.last, .boot + .milliseconds(599 * 20))
  }
}
