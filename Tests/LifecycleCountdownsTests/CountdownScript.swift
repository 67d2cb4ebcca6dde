import LifecycleCombine
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle
import TestSupport

/// One random script. All times are milliseconds.
final class CountdownScript: @unchecked Sendable {
  typealias Told = CountdownOracle.Told

  final class Follower: @unchecked Sendable {
    var told: [Told] = []
    var expected: [Told] = []
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

  /// What is to be told to those who followed then.
  struct News {
    var participant: Participant
    var told: Told
    var followers: [Follower]
    /// Of which run it is a tick.
    var tickOfRun: Int?
  }

  final class Participant: @unchecked Sendable {
    let name: Int
    var countdown: Countdown?
    var oracle: CountdownOracle
    var followers: [Follower] = []
    /// Counts its starts and cancellations.
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
  /// Keeps what the countdowns share: with a new one after a pause nobody knows when the visit began.
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
  var pending: [News] = []
  /// Whether the order of what was told in this step is known.
  var isInOneOrder = true
  var startCount = 0
  /// What everybody was told, in order, and should have been.
  var lines: [String] = []
  var expectedLines: [String] = []
  var log: [String] = []

  init(_ kind: BusKind, seed: UInt64) {
    bus = kind.make(clock: clock)
    generator = Generator(seed, 0, 0)
    let bus: any LifecycleBusProtocol = bus
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
    for participant in participants { participant.disarm() }
    participants = []
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
    case .cancel: cancel()
    }
  }
}
