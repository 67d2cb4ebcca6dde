import LifecycleTesting
import ReactiveLifecycle

/// One random script. All times are milliseconds.
final class CountdownScript: @unchecked Sendable {
  typealias Told = CountdownOracle.Told

  final class Follower: @unchecked Sendable {
    var told: [Told] = []
    var expected: [Told] = []
    var sink: AnyCancellable?
  }

  final class Party: @unchecked Sendable {
    let name: Int
    var countdown: Countdown?
    var oracle: CountdownOracle
    var followers: [Follower] = []

    init(_ name: Int, _ countdown: Countdown, _ oracle: CountdownOracle) {
      self.name = name
      self.countdown = countdown
      self.oracle = oracle
    }
  }

  let clock = ManualClock()
  let bus: any TestedBus
  /// Keeps what the countdowns share: with a new one after a pause nobody knows when the visit began.
  private let anchor: Countdown
  var generator: Generator
  var parties: [Party] = []
  var now = 0
  var isAway = false
  /// When the process went to the background last.
  var lastLeft = -1
  /// Whether this happens inside an event.
  var isInside = false
  var joining: [() -> Void] = []
  var log: [String] = []

  init(_ kind: BusKind, seed: UInt64) {
    bus = kind.make(clock: clock)
    generator = Generator(seed, 0, 0)
    let bus: any TestedBus = bus
    anchor = Countdown(.zero, on: bus)
    // A phase that is unknown is not the background.
    if seed % 3 > 0 { bus.send(.didBecomeActive) }
  }

  // MARK: Steps

  /// Takes a step, and says which.
  func step() -> String {
    let step = next()
    log.append(step)
    switch step {
    case "make": make()
    case "command": command()
    case "advance": advance(.milliseconds(amount()))
    case "sleep":
      let time = amount()
      log.append("  \(time)")
      clock.sleepDevice(for: .milliseconds(time))
      passed(time, isLate: true)
    case "stop":
      let time = amount()
      log.append("  \(time)")
      clock.stopProcess(for: .milliseconds(time))
      passed(time, isLate: true)
    case "wall": clock.setWallClock(by: .seconds(generator.next(below: 10_001) - 5000))
    case "move": move()
    case "event":
      inside(.systemDidWake, at: .systemDidWake)
      finishJoining()
    case "join": random.map { join($0) }
    case "leave": leave()
    default: release()
    }
    return step
  }

  private func next() -> String {
    if parties.isEmpty { return "make" }
    switch generator.next(below: 100) {
    case ..<10: return parties.count < 5 ? "make" : "command"
    case ..<42: return "command"
    case ..<60: return "advance"
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

  var random: Party? { parties.isEmpty ? nil : pick(parties) }

  private func pick<Element>(_ elements: [Element]) -> Element {
    elements[generator.next(below: elements.count)]
  }

  /// Often as long as it takes to meet another moment exactly.
  private func amount() -> Int {
    pick([0, 1, 250, 500, 1000, 1000, 1500, 2000, 3000, 10_000])
  }

  private func make() {
    let total = pick([0, 1, 500, 1000, 2000, 2500, 5000, 5000])
    let interval = pick([0, 300, 1000, 1000, 7000])
    let behavior = pick(Countdown.BackgroundBehavior.allCases)
    let bus: any TestedBus = bus
    let countdown = Countdown(
      .milliseconds(total),
      on: bus,
      tickInterval: interval > 0 ? .milliseconds(interval) : nil,
      inBackground: behavior
    )
    var oracle = CountdownOracle(total: total, interval: interval, behavior: behavior)
    oracle.isAway = isAway
    let name = log.count
    log.append("  \(name): \(total) every \(interval), \(behavior)")
    let party = Party(name, countdown, oracle)
    parties.append(party)
    join(party)
    if generator.next(below: 2) == 0 { perform(.start, 0, party) }
  }

  func command() {
    guard let party = random else { return }
    let command = pick(CountdownOracle.Command.allCases)
    perform(command, amount(), party)
  }

  private func perform(_ command: CountdownOracle.Command, _ time: Int, _ party: Party) {
    log.append("  \(party.name) \(command) \(time)")
    switch command {
    case .start: party.countdown?.start()
    case .restart: party.countdown?.restart()
    case .pause: party.countdown?.pause()
    case .resume: party.countdown?.resume()
    case .extend: party.countdown?.extend(by: .milliseconds(time))
    case .shorten: party.countdown?.extend(by: .milliseconds(-time))
    case .cancel: party.countdown?.cancel()
    }
    expect(party, party.oracle.command(command, by: time, now))
  }

  private func advance(_ time: Duration) {
    log.append("  \(time)")
    clock.advance(by: time)
    passed(Int(time / .milliseconds(1)), isLate: false)
  }

  private func passed(_ time: Int, isLate: Bool) {
    now += time
    for party in parties { expect(party, party.oracle.look(now, isLate: isLate)) }
  }

  func expect(_ party: Party, _ told: [Told]) {
    for follower in party.followers { follower.expected += told }
  }

  func end() { parties = [] }
}
