import CustomDump
import Testing

@testable import ReactiveLifecycle

@Suite("The history of phases")
struct PhaseHistoryTests {
  private func check(
    _ history: PhaseHistory,
    _ oracle: HistoryOracle,
    _ seconds: ClosedRange<Int>,
    now: Int,
    _ text: @autoclosure () -> String
  ) {
    func mustBe<Value: Equatable>(
      _ value: Value,
      _ expected: Value,
      _ question: @autoclosure () -> String
    ) {
      guard value != expected else { return }
      Issue.record("\(question()) is \(value) and should be \(expected), now \(now): \(text())")
    }
    mustBe(history.start, oracle.start.map { .boot + .seconds($0) }, "start")
    for second in seconds {
      mustBe(
        history.phase(at: .boot + .seconds(second), now: .boot + .seconds(now)),
        oracle.phase(at: second, now: now),
        "phase at \(second)"
      )
      for end in second...seconds.upperBound {
        let range = (.boot + .seconds(second))..<(ContinuousInstant.boot + .seconds(end))
        mustBe(
          history.duration(of: .foreground, during: range, now: .boot + .seconds(now)),
          oracle.foreground(second..<end, now: now).map { .seconds($0) },
          "foreground in \(second)..<\(end)"
        )
        mustBe(
          history.duration(of: .background, during: range, now: .boot + .seconds(now)),
          oracle.background(second..<end, now: now).map { .seconds($0) },
          "background in \(second)..<\(end)"
        )
      }
    }
  }

  @Test("Every sequence of up to three changes with every gap, asked for every range")
  func everySequence() {
    let phases: [LifecyclePhase] = [.terminated, .background, .inactive, .active]
    let gaps = [-2, 0, 1, 2]
    func extend(_ history: PhaseHistory, _ oracle: HistoryOracle, _ last: Int, _ steps: [String]) {
      for now in [last - 1, last, last + 2] {
        check(history, oracle, -3...last + 4, now: now, "\(steps)")
      }
      guard steps.count < 3 else { return }
      for phase in phases {
        for gap in gaps {
          var (history, oracle) = (history, oracle)
          history.note(phase, at: .boot + .seconds(last + gap))
          oracle.note(phase, at: last + gap)
          extend(history, oracle, last + gap, steps + ["\(phase) at \(last + gap)"])
        }
      }
    }
    extend(PhaseHistory(), HistoryOracle(), 0, [])
  }

  @Test("The oldest changes are forgotten, and with them what was before the oldest that is left")
  func oldestChangesAreForgotten() {
    var history = PhaseHistory()
    var oracle = HistoryOracle()
    let phases: [LifecyclePhase] = [.background, .inactive, .active, .inactive]
    for change in 0..<300 {
      history.note(phases[change % 4], at: .boot + .seconds(2 * change))
      oracle.note(phases[change % 4], at: 2 * change)
      // A step at the same instant takes no entry.
      history.note(phases[(change + 1) % 4], at: .boot + .seconds(2 * change))
      oracle.note(phases[(change + 1) % 4], at: 2 * change)
      let now = 2 * change + 5
      expectNoDifference(history.start, .boot + .seconds(2 * max(0, change - 127)))
      for second in [0, 2 * change - 255, 2 * change - 254, 2 * change - 100, 2 * change, now] {
        expectNoDifference(
          history.phase(at: .boot + .seconds(second), now: .boot + .seconds(now)),
          oracle.phase(at: second, now: now),
          "change \(change), second \(second)"
        )
      }
    }
    check(history, oracle, 340...348, now: 603, "after 300 changes")
  }

  @Test("The longest durations are no matter")
  func longestDurationsDoNoHarm() {
    let longest = ContinuousInstant(timeSinceBoot: Duration(attoseconds: .max))
    let shortest = ContinuousInstant(timeSinceBoot: Duration(attoseconds: .min))
    var history = PhaseHistory()
    history.note(.background, at: shortest)
    history.note(.active, at: .boot)
    history.note(.background, at: longest)
    expectNoDifference(history.phase(at: shortest, now: longest), .background)
    expectNoDifference(history.phase(at: .boot, now: longest), .active)
    expectNoDifference(history.phase(at: longest, now: longest), .background)
    for part in [PhaseHistory.Part.foreground, .background] {
      // The clocks stop at ±2⁶³ s, and so does what is counted.
      expectNoDifference(
        history.duration(of: part, during: shortest..<longest, now: longest),
        .seconds(Int64.max)
      )
      expectNoDifference(history.duration(of: part, during: longest..<longest, now: longest), .zero)
    }
  }
}

/// A history in whole seconds: a list that is searched from the front, and durations that are counted
/// second by second.
struct HistoryOracle {
  private(set) var changes: [(second: Int, phase: LifecyclePhase)] = []
  private var seconds: [Int] = []
  private let limit = 128

  mutating func note(_ phase: LifecyclePhase, at second: Int) {
    changes.append((max(second, changes.last?.second ?? second), phase))
    if seconds.last != changes.last?.second { seconds.append(changes[changes.count - 1].second) }
  }

  /// The first of the seconds that are remembered.
  var start: Int? { seconds.suffix(limit).first }

  /// Whatever the time is now.
  private func phase(at second: Int) -> LifecyclePhase? {
    var phase: LifecyclePhase?
    for change in changes where change.second <= second { phase = change.phase }
    return phase
  }

  func phase(at second: Int, now: Int) -> LifecyclePhase? {
    guard let start, start <= second, second <= now else { return nil }
    return phase(at: second)
  }

  func duration(
    during range: Range<Int>,
    now: Int,
    where isCounted: (LifecyclePhase) -> Bool
  ) -> Int? {
    guard let start, start <= range.lowerBound else { return nil }
    return range.count { second in second < now && phase(at: second).map(isCounted) == true }
  }
}

extension HistoryOracle {
  func foreground(_ range: Range<Int>, now: Int) -> Int? {
    duration(during: range, now: now) { $0 == .inactive || $0 == .active }
  }

  func background(_ range: Range<Int>, now: Int) -> Int? {
    duration(during: range, now: now) { $0 == .background }
  }
}
