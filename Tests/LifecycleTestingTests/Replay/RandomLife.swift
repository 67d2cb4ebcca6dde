import LifecycleCore
import LifecycleFlightRecording
import LifecycleTesting
import TestSupport

/// A life of a bus with several sources, parts, and ceilings that come and go, on a clock that
/// sleeps and is set.
struct RandomLife {
  private let bus: any LifecycleBusProtocol
  private let clock: ManualClock
  private var random: SeededGenerator
  private var sources: [Source] = []

  private struct Source {
    let feed: LifecycleFeed
    let role: LifecycleRole
    var connection: LifecycleCancellable?
  }

  init(_ kind: BusKind, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    clock = ManualClock()
    bus = kind.make(clock: clock)
  }

  /// Lives, and returns the recordings of the whole life, and from some moment on.
  static func recordings(_ kind: BusKind, seed: UInt64, capacity: Int) -> [FlightRecording] {
    var life = RandomLife(kind, seed: seed)
    let whole = FlightRecorder(of: life.bus)
    let latest = FlightRecorder(of: life.bus, capacity: capacity)
    let count = 40
    let middle = Int.random(in: 1..<count, using: &life.random)
    for _ in 0..<middle { life.go() }
    let late = FlightRecorder(of: life.bus)
    for _ in middle..<count { life.go() }
    if seed % 3 == 0 { life.bus.send(.willTerminate) }
    return [whole, latest, late].map(\.recording)
  }

  private mutating func go() {
    let duration = Duration.milliseconds(Int.random(in: 0...5_000, using: &random))
    switch Int.random(in: 0..<15, using: &random) {
    case 0: connect()
    case 1: connectPart()
    case 2: if let source = sources.randomElement(using: &random) { disconnect(source) }
    case 3: clock.sleepDevice(for: duration)
    case 4: clock.setWallClock(by: duration - .seconds(2))
    case 5, 6: clock.advance(by: duration)
    case 7: bus.send(kind(), metadata: ["key": "value"])
    case 8: bus.send(kind(), at: clock.now.advanced(by: .zero - duration))
    case 9: endParticipant()
    default:
      guard let source = sources.randomElement(using: &random) else { return connect() }
      source.feed.send(kind())
    }
  }

  private mutating func connect() {
    let names: [LifecycleSourceName] = ["scenes", "signals", "lock"]
    let source = TestSource(names.randomElement(using: &random)!)
    let role = role()
    let connection = try! bus.connect(source, as: role)
    sources.append(Source(feed: source.feed, role: role, connection: connection))
  }

  private mutating func connectPart() {
    guard let source = sources.randomElement(using: &random) else { return }
    let role = role()
    sources.append(Source(feed: source.feed.part(as: role), role: role))
  }

  /// Ends a participant, and not the bus.
  private mutating func endParticipant() {
    let participants = sources.filter { ![.participant(.application), .ceiling].contains($0.role) }
    participants.randomElement(using: &random)?.feed.send(.willTerminate)
  }

  private func disconnect(_ source: Source) {
    if let connection = source.connection { connection.cancel() } else { source.feed.disconnect() }
  }

  private mutating func role() -> LifecycleRole {
    [.participant(.application), .participant("1"), .participant("2"), .ceiling].randomElement(
      using: &random
    )!
  }

  private mutating func kind() -> LifecycleEvent.Kind {
    let kinds: [LifecycleEvent.Kind] = [
      .didFinishLaunching, .willEnterForeground, .didBecomeActive, .didBecomeActive,
      .willResignActive, .didEnterBackground, .didEnterBackground, .didReceiveMemoryWarning,
    ]
    return kinds.randomElement(using: &random)!
  }
}
