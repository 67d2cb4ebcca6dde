import LifecycleTesting
import ReactiveLifecycle
import TestSupport

@testable import LifecycleFlightRecording

extension RecordingModelTests {
  static let roles: [LifecycleRole] = [
    .presence, .presence, .participant("A"), .participant("A"), .participant("B"), .ceiling,
    .ceiling,
  ]
  static let kinds: [LifecycleEvent.Kind] = [
    .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
    .didEnterBackground, .systemDidWake,
  ]

  struct Feed {
    let feed: LifecycleFeed
    let role: LifecycleRole
    var connection: LifecycleCancellable?
  }

  /// A bus, its recorders, and what an observer of everything hears.
  final class Run: @unchecked Sendable {
    let clock = ManualClock()
    private(set) var bus: (any LifecycleBusProtocol)?
    let core: LifecycleBusCore
    let whole: FlightRecorder
    /// A recorder that drops most of its records.
    let short: FlightRecorder
    let events = Collector<LifecycleEvent>()
    let suppressed = Collector<SuppressedInput>()
    private(set) var inputs = 0
    /// The number of records when the bus was released.
    private(set) var released: Int?
    private var tokens: [LifecycleSubscription] = []
    private var feeds: [Feed] = []
    private var random: Generator
    private var nested = 0

    init(_ seed: UInt64) {
      random = Generator(seed, 0, 0)
      let bus = BusKind.allCases[Int(seed % 2)].make(clock: clock)
      self.bus = bus
      core = bus.core
      whole = FlightRecorder(of: bus, capacity: 2_000)
      short = FlightRecorder(of: bus, capacity: 1 + random.next(below: 12))
      tokens = [
        bus.core.addTranscriber { [events, weak self] event in
          events(event)
          self?.act()
        },
        bus.core.addTranscriber(ofSuppressed: { [suppressed] in suppressed($0) }),
      ]
    }

    /// Acts inside an observer now and then.
    private func act() {
      guard nested < 3, random.next(below: 6) == 0 else { return }
      nested += 1
      step()
      nested -= 1
    }

    func step() {
      clock.advance(by: .seconds(random.next(below: 3)))
      switch random.next(below: 41) {
      case 0...17: send(RecordingModelTests.kinds[random.next(below: 6)])
      case 18...21: sendOwn(RecordingModelTests.kinds[random.next(below: 6)])
      case 22...27: connect()
      case 28...30: disconnect()
      case 31...33:
        if let bus { tokens.append(bus.addObserver { _ in }) }
      case 34...36:
        // Not the transcribers.
        if tokens.count > 2 { tokens.remove(at: 2 + random.next(below: tokens.count - 2)).cancel() }
      case 37: whole.note("note")
      case 38:
        if random.next(below: 6) == 0 { send(.willTerminate) }
      case 39: endParticipant()
      default:
        guard bus != nil, random.next(below: 6) == 0 else { return }
        released = whole.next
        bus = nil
      }
    }

    private func sendOwn(_ kind: LifecycleEvent.Kind) {
      guard let bus else { return }
      inputs += 1
      bus.send(kind, metadata: ["n": "\(inputs)"])
    }

    private func send(_ kind: LifecycleEvent.Kind) {
      guard !feeds.isEmpty else { return sendOwn(kind) }
      inputs += 1
      feeds[random.next(below: feeds.count)].feed.send(kind, metadata: ["n": "\(inputs)"])
    }

    private func connect() {
      let role = RecordingModelTests.roles[random.next(below: RecordingModelTests.roles.count)]
      if !feeds.isEmpty, random.next(below: 2) == 0 {
        let whole = feeds[random.next(below: feeds.count)].feed
        return feeds.append(Feed(feed: whole.part(as: role), role: role))
      }
      guard let bus else { return }
      let source = FeedSource("source")
      let connection = try? bus.connect(source, as: role)
      feeds.append(Feed(feed: source.feed, role: role, connection: connection))
    }

    /// Ends a participant, and not the bus.
    private func endParticipant() {
      let participants = feeds.filter {
        $0.role.participant != .application && $0.role != .ceiling
      }
      guard !participants.isEmpty else { return }
      inputs += 1
      participants[random.next(below: participants.count)].feed.send(.willTerminate)
    }

    private func disconnect() {
      guard !feeds.isEmpty else { return }
      let feed = feeds[random.next(below: feeds.count)]
      if let connection = feed.connection { connection.cancel() } else { feed.feed.disconnect() }
    }
  }
}
