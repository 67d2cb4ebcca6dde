import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleCountdowns
import LifecycleTesting
import TestSupport
import Testing

/// One random script. All times are milliseconds.
final class CountdownScript: @unchecked Sendable {
  typealias Report = CountdownOracle.Report

  final class Follower: @unchecked Sendable {
    var received: [Report] = []
    var expected: [Report] = []
    var sink: AnyCancellable?
    /// What it does in its next tick or end, and whether it should have done so.
    var action: Action?
    var expectedAction: Action?
    var hasJoined = false
  }

  struct Action {
    var participant: Participant
    var command: CountdownOracle.Command
    var time: Int
  }

  /// A report to deliver to the followers at that time.
  struct Delivery {
    var participant: Participant
    var report: Report
    var followers: [Follower]
    /// Of which run it is a tick.
    var tickOfRun: Int?
  }

  final class Participant: @unchecked Sendable {
    let name: Int
    var countdown: Countdown?
    var oracle: CountdownOracle
    var followers: [Follower] = []
    /// Counts its starts and resets.
    var run = 0
    /// Which start of all was its latest.
    var order = 0

    init(_ name: Int, _ countdown: Countdown, _ oracle: CountdownOracle) {
      self.name = name
      self.countdown = countdown
      self.oracle = oracle
    }

    /// Lets go of the participants that its followers act on.
    func disarm() {
      for follower in followers { (follower.action, follower.expectedAction) = (nil, nil) }
    }
  }

  let clock = ManualClock()
  let bus: any LifecycleBusProtocol
  /// Keeps what the countdowns share: with a new one after a pause nobody knows when the visit
  /// began.
  private let anchor: Countdown
  var generator: Generator
  var participants: [Participant] = []
  var now = 0
  var isAway = false
  /// When the process went to the background last.
  var lastLeft = -1
  /// Whether this happens inside an event.
  var isInside = false
  var joining: [() -> Void] = []
  /// Whether the clock is being moved, so that followers act in their ticks.
  var isPassing = false
  var pending: [Delivery] = []
  /// Whether the order of the reports of this step is known.
  var isInOneOrder = true
  var startCount = 0
  /// What the followers received, in order, and should have received.
  var lines: [String] = []
  var expectedLines: [String] = []
  var log: [String] = []

  init(seed: UInt64) {
    let bus: any LifecycleBusProtocol =
      seed % 2 == 0 ? LifecycleBus(clock: clock) : NonisolatedLifecycleBus(clock: clock)
    self.bus = bus
    generator = Generator(seed, 0, 0)
    anchor = Countdown(.zero, of: bus)
    // A phase that is unknown is not the background.
    if seed % 3 > 0 { bus.send(.didBecomeActive) }
  }

  // MARK: Steps

  /// Takes a step, and says which.
  func step() -> String {
    let step = next()
    log.append(step)
    defer { flush() }
    switch step {
    case "make": make()
    case "command": command()
    case "advance": pass(isLate: false) { clock.advance(by: $0) }
    case "sleep": pass(isLate: true) { clock.sleepDevice(for: $0) }
    case "stop": pass(isLate: true) { clock.stopProcess(for: $0) }
    case "crowd": crowd()
    case "wall": clock.setWallClock(by: .seconds(generator.next(below: 10_001) - 5000))
    case "move": move()
    case "event":
      inside(.systemDidWake, at: .systemDidWake)
      finishJoining()
    case "join": random.map { join($0) }
    case "arm": arm()
    case "leave": leave()
    default: release()
    }
    return step
  }

  private func next() -> String {
    if participants.isEmpty { return "make" }
    switch generator.next(below: 100) {
    case ..<10: return participants.count < 5 ? "make" : "command"
    case ..<37: return "command"
    case ..<42: return "arm"
    case ..<55: return "advance"
    case ..<60: return "crowd"
    case ..<64: return "sleep"
    case ..<67: return "stop"
    case ..<69: return "wall"
    case ..<84: return "move"
    case ..<89: return "event"
    case ..<94: return "join"
    case ..<97: return "leave"
    default: return "release"
    }
  }

  var random: Participant? { participants.isEmpty ? nil : pick(participants) }

  func pick<Element>(_ elements: [Element]) -> Element {
    elements[generator.next(below: elements.count)]
  }

  /// Often as long as it takes to meet another moment exactly.
  func amount() -> Int {
    pick([0, 1, 250, 500, 1000, 1000, 1500, 2000, 3000, 10_000])
  }

  private func make() {
    let total = pick([0, 1, 500, 1000, 2000, 2500, 5000, 5000])
    let interval = pick([0, 300, 1000, 1000, 7000])
    let behavior = pick(Countdown.BackgroundBehavior.allCases)
    let bus: any LifecycleBusProtocol = bus
    let countdown = Countdown(
      .milliseconds(total),
      of: bus,
      tickInterval: interval > 0 ? .milliseconds(interval) : nil,
      inBackground: behavior
    )
    var oracle = CountdownOracle(total: total, interval: interval, behavior: behavior)
    oracle.isAway = isAway
    let name = log.count
    log.append("  \(name): \(total) every \(interval), \(behavior)")
    let participant = Participant(name, countdown, oracle)
    participants.append(participant)
    join(participant)
    if generator.next(below: 2) == 0 { perform(.start, 0, participant) }
  }

  func command() {
    guard let participant = random else { return }
    let command = pick(CountdownOracle.Command.allCases)
    perform(command, amount(), participant)
  }

  func perform(_ command: CountdownOracle.Command, _ time: Int, _ participant: Participant) {
    log.append("  \(participant.name) \(command) \(time)")
    participant.countdown?.perform(command, time)
    expect(command, time, participant)
  }

  func end() {
    // A sink must not outlive the script, to which it has an unowned reference.
    for participant in participants {
      participant.disarm()
      participant.followers = []
    }
    participants = []
  }
}

/// The steps that move the clock, and the order in which followers receive what is due.
extension CountdownScript {
  /// Has a follower ask something of a countdown in its next tick, or in its end.
  func arm() {
    guard let participant = random, !participant.followers.isEmpty, let other = random else {
      return
    }
    let action = Action(
      participant: other,
      command: pick(CountdownOracle.Command.allCases),
      time: amount()
    )
    let follower = pick(participant.followers)
    log.append("  \(participant.name): \(other.name) \(action.command) \(action.time)")
    follower.action = action
    follower.expectedAction = action
  }

  /// Has several end in one jump, some of which act on others.
  func crowd() {
    for participant in participants { perform(.restart, 0, participant) }
    for _ in 1...4 { arm() }
    pass(isLate: true) { clock.stopProcess(for: $0) }
  }

  func pass(isLate: Bool, _ move: (Duration) -> Void) {
    flush()
    let time = amount()
    log.append("  \(time)")
    isPassing = true
    move(.milliseconds(time))
    let end = now + time
    if isLate { now = end }
    reportDue()
    while !isLate, let moment = participants.compactMap({ $0.oracle.nextMoment(after: now) }).min(),
      moment <= end
    {
      now = moment
      reportDue()
    }
    now = end
    isPassing = false
  }

  private func reportDue() {
    flush()
    while expectNext() { flush() }
  }

  /// Takes note of what happened first of all that is due, and was started first.
  private func expectNext() -> Bool {
    let due = participants.compactMap { participant in
      participant.countdown == nil
        ? nil : participant.oracle.due(now).map { (participant, $0.moment) }
    }
    let first = due.min { ($0.1, $0.0.order) < ($1.1, $1.0.order) }
    guard let participant = first?.0 else { return false }
    expect(participant, participant.oracle.examine(now, isLate: true), isTick: true)
    return true
  }

  /// Takes note of the first of those that are owed their return.
  private func expectReturn() -> Bool {
    guard let participant = inOrder.first(where: \.oracle.owesReturn) else { return false }
    expect(participant, participant.oracle.reportReturn(now), isTick: true)
    return true
  }

  // MARK: What is to be received

  /// What comes of a command. One to a countdown that has ended unnoticed comes after what happened
  /// before that end.
  func expect(_ command: CountdownOracle.Command, _ time: Int, _ participant: Participant) {
    while let deadline = participant.oracle.deadline, deadline <= now,
      expectReturn() || expectNext()
    {}
    let status = participant.oracle.status
    if command == .restart || command == .start && status == .idle {
      startCount += 1
      participant.order = startCount
      participant.run += 1
    } else if command == .reset, status != .idle {
      participant.run += 1
    }
    expect(participant, participant.oracle.command(command, by: time, now))
  }

  func expect(_ participant: Participant, _ reports: [Report], isTick: Bool = false) {
    for report in reports {
      var run: Int?
      if isTick, case .state(.running, _) = report { run = participant.run }
      pending.append(
        Delivery(
          participant: participant,
          report: report,
          followers: participant.followers,
          tickOfRun: run
        )
      )
    }
  }

  /// Tells what is pending, and has the followers do what they do in a tick or an end.
  func flush() {
    while !pending.isEmpty {
      let delivery = pending.removeFirst()
      for follower in delivery.followers {
        if let run = delivery.tickOfRun, run != delivery.participant.run { break }
        follower.expected.append(delivery.report)
        expectedLines.append("\(delivery.participant.name) \(delivery.report)")
        guard isPassing, isForActing(delivery.report) else { continue }
        guard let action = follower.expectedAction.take(), action.participant.countdown != nil
        else {
          continue
        }
        expect(action.command, action.time, action.participant)
      }
    }
  }

  private func isForActing(_ report: Report) -> Bool {
    guard case .state(let status, _) = report else { return false }
    return status == .running || status == .finished
  }

  /// A follower receives a report.
  func receive(_ report: Report, _ follower: Follower, of name: Int) {
    follower.received.append(report)
    if follower.hasJoined { lines.append("\(name) \(report)") }
    follower.hasJoined = true
    guard isPassing, isForActing(report), let action = follower.action.take() else { return }
    action.participant.countdown?.perform(action.command, action.time)
  }
}

/// The steps that take the process to and fro, and those of the subscribers.
extension CountdownScript {
  /// To the background or back; half the time with commands from inside the event.
  func move() {
    isAway.toggle()
    log.append("  \(isAway ? "background" : "foreground")")
    let away: LifecycleEvent.Kind =
      bus.phase == .unknown ? .didFinishLaunching : .didEnterBackground
    let kind = isAway ? away : .didBecomeActive
    // What ended while the process was away is reported before the return.
    if !isAway {
      for participant in inOrder { expect(participant, participant.oracle.settle(now)) }
    }
    if bus.phase != .unknown, generator.next(below: 2) == 0 {
      // Observers of the way out run before the countdowns' own, those of the way back after it.
      if !isAway { moveOracles() }
      inside(kind, at: isAway ? kind : .willEnterForeground)
      if isAway { moveOracles() }
      finishJoining()
    } else {
      bus.send(kind)
      moveOracles()
    }
    for participant in inOrder {
      expect(participant, participant.oracle.reportReturn(now), isTick: true)
    }
  }

  /// By their ends, then by their starts.
  var inOrder: [Participant] {
    participants.sorted {
      ($0.oracle.deadline ?? .max, $0.order) < ($1.oracle.deadline ?? .max, $1.order)
    }
  }

  private func moveOracles() {
    for participant in inOrder {
      if isAway {
        expect(participant, participant.oracle.enterBackground(now))
      } else {
        participant.oracle.enterForeground(now)
        // A visit that did not last brings no tick to those that were not held.
        if lastLeft == now, participant.oracle.behavior != .pause {
          participant.oracle.owesReturn = false
        }
      }
    }
    if isAway { lastLeft = now }
  }

  /// Sends an event that has an observer do something.
  func inside(_ kind: LifecycleEvent.Kind, at event: LifecycleEvent.Kind) {
    isInside = true
    let token = bus.addObserver(for: [event]) { [unowned self] _ in
      for _ in 0...generator.next(below: 3) {
        generator.next(below: 4) == 0 ? random.map { join($0) } : command()
      }
    }
    bus.send(kind)
    token.cancel()
    isInside = false
  }

  /// Who joins inside an event starts after it.
  func finishJoining() {
    guard !joining.isEmpty else { return }
    for join in joining { join() }
    joining = []
    // When the followers of their countdowns receive what is due depends on their turn.
    isInOneOrder = false
  }

  func join(_ participant: Participant) {
    guard let countdown = participant.countdown else { return }
    log.append("  \(participant.name) joined")
    let follower = Follower()
    let start = { [unowned self] in
      // The others receive what is due; the new subscription starts with it.
      expect(
        participant,
        participant.oracle.settle(now) + participant.oracle.reportReturn(now),
        isTick: true
      )
      follower.expected.append(participant.oracle.first(now))
      participant.followers.append(follower)
    }
    isInside ? joining.append(start) : start()
    let name = participant.name
    follower.sink = countdown.states.sink(
      receiveCompletion: { [unowned self, unowned follower] _ in
        receive(.ended, follower, of: name)
      },
      receiveValue: { [unowned self, unowned follower] state in
        let remaining = Int(state.remaining / .milliseconds(1))
        receive(.state(state.status, remaining), follower, of: name)
      }
    )
  }

  func leave() {
    guard let participant = random, participant.followers.count > 1 else { return }
    let follower = participant.followers.removeFirst()
    (follower.action, follower.expectedAction) = (nil, nil)
    follower.sink?.cancel()
  }

  func release() {
    guard let participant = random else { return }
    log.append("  \(participant.name)")
    participant.disarm()
    participant.countdown = nil
    expect(participant, [.ended])
  }
}

/// What has become of it, and what should have.
extension CountdownScript {
  struct Standing: Equatable {
    var name: Int
    var state: Report
    var reports: [[Report]]
  }

  struct Picture: Equatable {
    var standings: [Standing] = []
    /// What all of them received, in order.
    var lines: [String] = []
    var timerCount: Int
  }

  func compare() -> (real: Picture, expected: Picture) {
    var real = Picture(timerCount: clock.timerCount)
    let isTimed = participants.contains { participant in
      guard participant.countdown != nil, participant.oracle.deadline != nil else { return false }
      return !isAway || participant.oracle.behavior == .finishOnTime
    }
    var expected = Picture(timerCount: isTimed ? 1 : 0)
    for participant in participants {
      let state = participant.countdown?.state
      real.standings.append(
        Standing(
          name: participant.name,
          state: state.map { .state($0.status, Int($0.remaining / .milliseconds(1))) } ?? .ended,
          reports: participant.followers.map(\.received)
        )
      )
      expected.standings.append(
        Standing(
          name: participant.name,
          state: state == nil ? .ended : participant.oracle.state(now),
          reports: participant.followers.map(\.expected)
        )
      )
      for follower in participant.followers {
        follower.received = []
        follower.expected = []
      }
    }
    if isInOneOrder { (real.lines, expected.lines) = (lines, expectedLines) }
    (lines, expectedLines, isInOneOrder) = ([], [], true)
    participants.removeAll { $0.countdown == nil }
    return (real, expected)
  }
}

extension Countdown {
  func perform(_ command: CountdownOracle.Command, _ time: Int) {
    switch command {
    case .start: start()
    case .restart: restart()
    case .pause: pause()
    case .resume: resume()
    case .extend: extend(by: .milliseconds(time))
    case .shorten: extend(by: .milliseconds(-time))
    case .reset: reset()
    }
  }
}

/// Random scripts in virtual time: after each step every countdown stands as its oracle says, has reported
/// what that says, and there is a timer exactly if something is due.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter Countdown` runs that seed alone.
@Suite("Countdown: random scripts")
@MainActor
struct CountdownRandomTests {
  @Test("Random scripts of several countdowns agree with a model of a deadline and an amount")
  func randomScripts() {
    var failures = 0
    var steps: [String: Int] = [:]
    for seed in seeds(600) where failures < 3 {
      let script = CountdownScript(seed: seed)
      for _ in 0..<40 {
        let step = script.step()
        steps[step, default: 0] += 1
        let (real, expected) = script.compare()
        guard real != expected else { continue }
        failures += 1
        expectNoDifference(
          real,
          expected,
          "LIFECYCLE_SEED=\(seed), after\n\(script.log.joined(separator: "\n"))"
        )
        break
      }
      script.end()
    }
    guard seeds(600).count > 1, failures == 0 else { return }
    // The scripts are worth their time only if each kind of step is taken often.
    for (step, count) in steps { #expect(count > 200, "\(step) hardly ever happens") }
    expectNoDifference(steps.count, 13)
  }
}
