import CustomDump
import LifecycleCore
import TestSupport
import Testing

@testable import LifecycleCountdowns

/// What a countdown must do: it has a deadline while it counts, an amount while it doesn't, and
/// `max(0, deadline − now)` is all its arithmetic. Times are whole numbers of any unit.
struct CountdownOracle: Equatable {
  enum Report: Equatable {
    case state(Countdown.Status, Int)
    case ended
  }

  enum Command: CaseIterable, Hashable {
    case start, restart, pause, resume, extend, shorten, reset
  }

  let total: Int
  /// Of the ticks; 0 for none.
  let interval: Int
  let behavior: Countdown.BackgroundBehavior
  var status = Countdown.Status.idle
  /// While it counts.
  var deadline: Int?
  /// While it doesn't.
  var amount: Int
  var isAway = false
  /// Whether the return to the foreground is still to be reported.
  var owesReturn = false
  /// What remained when boundaries were last looked for.
  var seen: Int
  /// What was reported last.
  var shown: Int

  init(total: Int, interval: Int, behavior: Countdown.BackgroundBehavior) {
    self.total = total
    self.interval = interval
    self.behavior = behavior
    amount = total
    seen = total
    shown = total
  }

  func remaining(_ now: Int) -> Int { deadline.map { max(0, $0 - now) } ?? amount }

  func state(_ now: Int) -> Report {
    if let deadline, deadline <= now { return .state(.finished, 0) }
    return .state(isHeld && status == .running ? .paused : status, remaining(now))
  }

  private var isHeld: Bool { isAway && behavior == .pause }

  /// The first state of a subscriber.
  func first(_ now: Int) -> Report {
    guard let deadline, deadline > now, interval > 0 else { return state(now) }
    return .state(.running, min(boundary(now), shown))
  }

  /// What remains, in whole intervals.
  private func boundary(_ now: Int) -> Int {
    var boundary = 0
    while boundary < remaining(now) { boundary += interval }
    return boundary
  }

  /// The end, if it has come.
  mutating func settle(_ now: Int) -> [Report] {
    guard let deadline, deadline <= now else { return [] }
    stay(.finished, 0)
    return [.state(.finished, 0)]
  }

  mutating func command(_ command: Command, by time: Int, _ now: Int) -> [Report] {
    let reports = settle(now)
    let rest = remaining(now)
    switch (command, status) {
    case (.start, .idle), (.restart, _): count(total, now)
    case (.pause, .running): stay(.paused, rest)
    case (.resume, .paused): count(amount, now)
    case (.extend, .running), (.extend, .paused): change(rest + time, now)
    case (.shorten, .running), (.shorten, .paused): change(max(0, rest - time), now)
    case (.reset, .running), (.reset, .paused), (.reset, .finished): stay(.idle, total)
    default: return reports
    }
    owesReturn = false
    seen = remaining(now)
    shown = seen
    return reports + [state(now)]
  }

  private mutating func change(_ rest: Int, _ now: Int) {
    if status == .running || rest == 0 { count(rest, now) } else { stay(.paused, rest) }
  }

  private mutating func count(_ rest: Int, _ now: Int) {
    stay(rest == 0 ? .finished : .running, rest)
    if status == .running, !isHeld { deadline = now + rest }
  }

  private mutating func stay(_ status: Countdown.Status, _ rest: Int) {
    self.status = status
    amount = rest
    deadline = nil
  }

  /// The moment of the next report without another command.
  func nextMoment(after now: Int) -> Int? {
    guard let deadline, deadline > now, !isAway || behavior == .finishOnTime else { return nil }
    guard interval > 0, !isAway else { return deadline }
    return deadline - stride(from: 0, to: deadline - now, by: interval).reversed().first!
  }

  /// The report that is due, and its moment.
  func due(_ now: Int) -> (moment: Int, report: Report)? {
    var copy = self
    guard let deadline, let report = copy.examine(now, isLate: true).last else { return nil }
    guard case .state(_, let amount) = report else { return nil }
    return (deadline - amount, report)
  }

  /// The boundaries that were passed since the last examination; the last of them if it is late.
  mutating func examine(_ now: Int, isLate: Bool) -> [Report] {
    guard !isAway else { return behavior == .finishOnTime ? settle(now) : [] }
    guard let deadline else { return [] }
    let rest = max(0, deadline - now)
    var passed: [Report] = []
    if interval > 0 {
      for amount in stride(from: 0, to: seen, by: interval).reversed() {
        guard amount >= rest, amount > 0 else { continue }
        passed.append(.state(.running, amount))
        shown = amount
      }
    }
    seen = rest
    passed += settle(now)
    return isLate ? passed.suffix(1) : passed
  }

  mutating func enterBackground(_ now: Int) -> [Report] {
    isAway = true
    owesReturn = false
    // The end of a countdown that is to be held is reported before that.
    guard behavior == .pause, status == .running else { return [] }
    let reports = settle(now)
    guard status == .running else { return reports }
    amount = remaining(now)
    deadline = nil
    shown = amount
    return [.state(.paused, amount)]
  }

  mutating func enterForeground(_ now: Int) {
    if isHeld, status == .running { deadline = now + amount }
    isAway = false
    owesReturn = status == .running
  }

  /// The tick that the return brings.
  mutating func reportReturn(_ now: Int) -> [Report] {
    guard owesReturn else { return [] }
    owesReturn = false
    guard let deadline else { return [] }
    guard deadline > now else { return settle(now) }
    seen = deadline - now
    shown = interval > 0 ? min(boundary(now), shown) : seen
    return [.state(.running, shown)]
  }
}

@Suite("Countdowns as activities")
struct CountdownLogTests {
  /// Every sequence of four changes of status: an activity begins before anything else, ends once,
  /// and pauses and resumes in turn.
  @Test("In every sequence of changes, each activity begins before anything else and ends once")
  func everySequence() {
    let countdown = Canary()
    var sequences = 0
    func explore(
      _ status: Countdown.Status,
      _ log: CountdownLog,
      _ lines: [FlightActivity],
      _ depth: Int
    ) {
      expectWhole(lines)
      sequences += 1
      guard depth > 0 else { return }
      for next in Countdown.Status.allCases {
        for starts in [false, true] {
          // Without a start, an idle countdown stays so, and so does one that has finished.
          guard starts || status == .running || status == .paused else { continue }
          var log = log
          var lastID = lines.map(\.id).max() ?? 0
          let change = CountdownLog.Change(
            countdown: ObjectIdentifier(countdown),
            from: status,
            to: next,
            starts: starts
          )
          let activities = log.activities(for: change) {
            lastID += 1
            return lastID
          }
          explore(next, log, lines + activities, depth - 1)
        }
      }
    }
    explore(.idle, CountdownLog(), [], 4)
    #expect(sequences > 500)
    withExtendedLifetime(countdown) {}
  }

  private func expectWhole(_ activities: [FlightActivity]) {
    var open: (id: Int, isPaused: Bool)?
    var last = 0
    for activity in activities {
      switch activity.change {
      case .began:
        #expect(open == nil && activity.id == last + 1)
        last = activity.id
        open = (activity.id, false)
      case .paused:
        #expect(open?.id == activity.id && open?.isPaused == false)
        open?.isPaused = true
      case .resumed:
        #expect(open?.id == activity.id && open?.isPaused == true)
        open?.isPaused = false
      case .ended:
        expectNoDifference(open?.id, activity.id)
        open = nil
      }
    }
  }
}
