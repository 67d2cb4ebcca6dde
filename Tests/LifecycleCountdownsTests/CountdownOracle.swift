import LifecycleCountdowns
import ReactiveLifecycle

/// What a countdown must do: it has a deadline while it counts, an amount while it doesn't, and
/// `max(0, deadline − now)` is all its arithmetic. Times are whole numbers of any unit.
struct CountdownOracle: Equatable {
  enum Told: Equatable {
    case state(Countdown.Status, Int)
    case ended
  }

  enum Command: CaseIterable, Hashable {
    case start, restart, pause, resume, extend, shorten, cancel
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
  /// Whether the return to the foreground is still to be told.
  var owesReturn = false
  /// What remained when boundaries were last looked for.
  var seen: Int
  /// What was told last.
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

  func state(_ now: Int) -> Told {
    if let deadline, deadline <= now { return .state(.finished, 0) }
    return .state(isHeld && status == .running ? .paused : status, remaining(now))
  }

  private var isHeld: Bool { isAway && behavior == .pause }

  /// What a subscriber that joins is told.
  func first(_ now: Int) -> Told {
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
  mutating func settle(_ now: Int) -> [Told] {
    guard let deadline, deadline <= now else { return [] }
    stay(.finished, 0)
    return [.state(.finished, 0)]
  }

  mutating func command(_ command: Command, by time: Int, _ now: Int) -> [Told] {
    let told = settle(now)
    let rest = remaining(now)
    switch (command, status) {
    case (.start, .idle), (.restart, _): count(total, now)
    case (.pause, .running): stay(.paused, rest)
    case (.resume, .paused): count(amount, now)
    case (.extend, .running), (.extend, .paused): change(rest + time, now)
    case (.shorten, .running), (.shorten, .paused): change(max(0, rest - time), now)
    case (.cancel, .running), (.cancel, .paused), (.cancel, .finished): stay(.idle, total)
    default: return told
    }
    owesReturn = false
    seen = remaining(now)
    shown = seen
    return told + [state(now)]
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

  /// When there will be something to tell next, if nobody asks anything of it.
  func nextMoment(after now: Int) -> Int? {
    guard let deadline, deadline > now, !isAway || behavior == .finishOnTime else { return nil }
    guard interval > 0, !isAway else { return deadline }
    return deadline - stride(from: 0, to: deadline - now, by: interval).reversed().first!
  }

  /// What there is to be told, and when it happened.
  func due(_ now: Int) -> (moment: Int, told: Told)? {
    var copy = self
    guard let deadline, let told = copy.look(now, isLate: true).last else { return nil }
    guard case .state(_, let amount) = told else { return nil }
    return (deadline - amount, told)
  }

  /// The boundaries that were passed since the last look; the last of them if it is late.
  mutating func look(_ now: Int, isLate: Bool) -> [Told] {
    guard !isAway else { return behavior == .finishOnTime ? settle(now) : [] }
    guard let deadline else { return [] }
    let rest = max(0, deadline - now)
    var passed: [Told] = []
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

  mutating func enterBackground(_ now: Int) -> [Told] {
    isAway = true
    owesReturn = false
    // The end of one that is held is told before that.
    guard behavior == .pause, status == .running else { return [] }
    let told = settle(now)
    guard status == .running else { return told }
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
  mutating func tellReturn(_ now: Int) -> [Told] {
    guard owesReturn else { return [] }
    owesReturn = false
    guard let deadline else { return [] }
    guard deadline > now else { return settle(now) }
    seen = deadline - now
    shown = interval > 0 ? min(boundary(now), shown) : seen
    return [.state(.running, shown)]
  }
}
