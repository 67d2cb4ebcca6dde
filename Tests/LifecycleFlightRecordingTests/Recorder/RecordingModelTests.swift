import CustomDump
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleFlightRecording

/// Random scripts on a bus with recorders, against what transcribers receive, and against the state
/// of the bus itself, with which a recorder begins.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234` runs that seed alone.
@Suite("The flight recorder: random scripts")
struct RecordingModelTests {
  @Test("A recording of a random script has its transcript, and ends in the state of the bus")
  @MainActor
  func randomScripts() {
    var reasons: [SuppressedInput.Reason: Int] = [:]
    var records = 0
    for seed in seeds(2_000) {
      let run = Run(seed)
      for _ in 0..<60 { run.step() }
      check(run, "LIFECYCLE_SEED=\(seed)")
      for input in run.suppressed.values { reasons[input.reason, default: 0] += 1 }
      records += run.whole.recording.records.count
    }
    guard seeds(2_000).count > 1 else { return }
    #expect(records > 80_000)
    for reason in SuppressedInput.Reason.allCases {
      #expect(reasons[reason, default: 0] > 200, "\(reason) hardly ever happens")
    }
  }

  private func check(_ run: Run, _ seed: String) {
    let recording = run.whole.recording
    let records = recording.records
    expectNoDifference(recording.start.dropped, 0, seed)
    expectNoDifference(records.compactMap(\.event), run.events.values, seed)
    // The stream of suppressed inputs ends with the release.
    expectNoDifference(
      records.prefix(run.released ?? records.count).compactMap(\.suppressedInput),
      run.suppressed.values.map(\.bare),
      seed
    )
    expectNoDifference(records.count { $0.input != nil }, run.inputs, seed)
    checkCauses(records, seed)
    checkObservers(records, seed)

    // A recorder that begins now takes the state from the bus.
    let end = folded(recording.start, records)
    if run.released == nil { expectNoDifference(end, FlightRecording.Start(run.core), seed) }
    let short = run.short.recording
    expectNoDifference(folded(short.start, short.records), end, seed)
    let withoutNotes = records.filter { if case .note = $0.content { false } else { true } }
    expectNoDifference(short.records, withoutNotes.suffix(short.records.count), seed)
    expectNoDifference(short.start.dropped + short.records.count, withoutNotes.count, seed)
    let dropped = withoutNotes.prefix(short.start.dropped)
    expectNoDifference(folded(recording.start, dropped), short.start.comparable, seed)
  }

  /// Each input that is not suppressed is followed by its events, the last of which is its own.
  private func checkCauses(_ records: [FlightRecord], _ seed: String) {
    for (index, record) in records.enumerated() {
      guard let input = record.input else { continue }
      let events = records[(index + 1)...].prefix { $0.event != nil }.compactMap(\.event)
      if input.suppressed != nil {
        #expect(events.isEmpty, "\(seed), \(record.line)")
      } else {
        #expect(events.allSatisfy { $0.instant == record.instant }, "\(seed), \(record.line)")
        #expect(!events.isEmpty, "\(seed), \(record.line)")
      }
    }
  }

  /// Observers are numbered from 1, and leave at most once.
  private func checkObservers(_ records: [FlightRecord], _ seed: String) {
    var live: Set<Int> = []
    var last = 0
    for record in records {
      switch record.content {
      case .observerAdded(let observer, _):
        last += 1
        expectNoDifference(observer, last, "\(seed)")
        live.insert(observer)
      case .observerRemoved(let observer):
        #expect(live.remove(observer) != nil, "\(seed)")
      default: break
      }
    }
  }

  private func folded(
    _ start: FlightRecording.Start,
    _ records: some Sequence<FlightRecord>
  ) -> FlightRecording.Start {
    var start = start
    for record in records { start.advance(past: record) }
    return start.comparable
  }

  static let roles: [LifecycleRole] = [
    .participant(.application), .participant(.application), .participant("A"), .participant("A"),
    .participant("B"), .ceiling,
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
    private var transcriber: Transcriber?
    private var tokens: [LifecycleCancellable] = []
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
      transcriber = Transcriber(of: core) { [events, weak self] event in
        events(event)
        self?.act()
      } suppressed: { [suppressed] in
        suppressed($0)
      }
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
        if !tokens.isEmpty { tokens.remove(at: random.next(below: tokens.count)).cancel() }
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
      let source = TestSource("source")
      let connection = try? bus.connect(source, as: role)
      feeds.append(Feed(feed: source.feed, role: role, connection: connection))
    }

    /// Ends a participant, and not the bus.
    private func endParticipant() {
      let participants = feeds.filter {
        ![.participant(.application), .ceiling].contains($0.role)
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

extension FlightRecording.Start {
  /// The state of a bus, without its instant and the count of dropped records.
  fileprivate init(_ core: LifecycleBusCore) {
    let tap = FlightTap(
      capacity: 1,
      start: FlightRecording.Start(at: LifecycleInstant(everyClock: .zero))
    )
    core.addTap(tap)
    core.removeTap(tap)
    self = tap.start.comparable
  }

  fileprivate var comparable: Self {
    var start = self
    start.instant = LifecycleInstant(everyClock: .zero)
    start.dropped = 0
    return start
  }
}

/// What a recording and a transcriber both know of a suppressed input.
private struct BareInput: Equatable {
  let kind: LifecycleEvent.Kind
  let reason: SuppressedInput.Reason
  let instant: LifecycleInstant
}

extension SuppressedInput {
  fileprivate var bare: BareInput { BareInput(kind: kind, reason: reason, instant: instant) }
}

extension FlightRecord {
  fileprivate var suppressedInput: BareInput? {
    guard let input, let reason = input.suppressed else { return nil }
    return BareInput(kind: input.kind, reason: reason, instant: instant)
  }
}
