import LifecycleTesting
import OpenCombineShim
import ReactiveLifecycle

/// One random script. All times are milliseconds.
final class CountdownScript: @unchecked Sendable {
  typealias Told = CountdownOracle.Told

  private final class Follower: @unchecked Sendable {
    var told: [Told] = []
    var expected: [Told] = []
    var sink: AnyCancellable?
  }

  private final class Party: @unchecked Sendable {
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

  private let clock = ManualClock()
  private let bus: any TestedBus
  /// Keeps what the countdowns share: with a new one after a pause nobody knows when the visit began.
  private let anchor: Countdown
  private var generator: Generator
  private var parties: [Party] = []
  private var now = 0
  private var isAway = false
  private(set) var log: [String] = []

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

  private var random: Party? { parties.isEmpty ? nil : pick(parties) }

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

  private func command() {
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

  /// To the background or back; half the time with commands from inside the event.
  private func move() {
    isAway.toggle()
    log.append("  \(isAway ? "background" : "foreground")")
    let away: LifecycleEvent.Kind =
      bus.phase == .unknown ? .didFinishLaunching : .didEnterBackground
    let kind = isAway ? away : .didBecomeActive
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
    for party in parties { expect(party, party.oracle.tellReturn(now)) }
  }

  private var lastLeft = -1

  private func moveOracles() {
    for party in parties {
      if isAway {
        expect(party, party.oracle.enterBackground(now))
      } else {
        party.oracle.enterForeground(now)
        // A visit that did not last brings no tick to those that were not held.
        if lastLeft == now, party.oracle.behavior != .pause { party.oracle.owesReturn = false }
      }
    }
    if isAway { lastLeft = now }
  }

  /// Sends an event that has an observer do something.
  private func inside(_ kind: LifecycleEvent.Kind, at event: LifecycleEvent.Kind) {
    isInside = true
    let token = bus.observe(for: [event]) { [unowned self] _ in
      for _ in 0...generator.next(below: 3) {
        generator.next(below: 4) == 0 ? random.map { join($0) } : command()
      }
    }
    bus.send(kind)
    token.cancel()
    isInside = false
  }

  private var isInside = false
  private var joining: [() -> Void] = []

  /// Who joins inside an event starts after it.
  private func finishJoining() {
    for join in joining { join() }
    joining = []
  }

  private func join(_ party: Party) {
    guard let countdown = party.countdown else { return }
    log.append("  \(party.name) joined")
    let follower = Follower()
    let start = { [unowned self] in
      // The others are told of an end that nobody has noticed; the newcomer starts with it.
      expect(party, party.oracle.settle(now))
      follower.expected.append(party.oracle.first(now))
      party.followers.append(follower)
    }
    isInside ? joining.append(start) : start()
    follower.sink = countdown.states.sink(
      receiveCompletion: { [unowned follower] _ in follower.told.append(.ended) },
      receiveValue: { [unowned follower] state in
        follower.told.append(.state(state.status, Int(state.remaining / .milliseconds(1))))
      }
    )
  }

  private func leave() {
    guard let party = random, party.followers.count > 1 else { return }
    party.followers.removeFirst().sink?.cancel()
  }

  private func release() {
    guard let party = random else { return }
    log.append("  \(party.name)")
    party.countdown = nil
    expect(party, [.ended])
  }

  private func expect(_ party: Party, _ told: [Told]) {
    for follower in party.followers { follower.expected += told }
  }

  // MARK: What has become of it

  struct Standing: Equatable {
    var name: Int
    var state: Told
    var told: [[Told]]
  }

  struct Picture: Equatable {
    var standings: [Standing] = []
    var timerCount: Int
  }

  func compare() -> (real: Picture, expected: Picture) {
    var real = Picture(timerCount: clock.timerCount)
    let isTimed = parties.contains { party in
      guard party.countdown != nil, party.oracle.deadline != nil else { return false }
      return !isAway || party.oracle.behavior == .fire
    }
    var expected = Picture(timerCount: isTimed ? 1 : 0)
    for party in parties {
      if let state = party.countdown?.state {
        real.standings.append(
          Standing(
            name: party.name,
            state: .state(state.status, Int(state.remaining / .milliseconds(1))),
            told: party.followers.map(\.told)
          )
        )
        expected.standings.append(
          Standing(
            name: party.name,
            state: party.oracle.state(now),
            told: party.followers.map(\.expected)
          )
        )
      } else {
        real.standings.append(
          Standing(name: party.name, state: .ended, told: party.followers.map(\.told))
        )
        expected.standings.append(
          Standing(name: party.name, state: .ended, told: party.followers.map(\.expected))
        )
      }
      for follower in party.followers {
        follower.told = []
        follower.expected = []
      }
    }
    parties.removeAll { $0.countdown == nil }
    return (real, expected)
  }

  func end() { parties = [] }
}
