import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Long random scripts on a whole bus, against the reference, on both kinds of bus in turn.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter SeveralSources` runs that seed
/// alone.
@MainActor
@Suite("Several sources: random scripts")
struct SeveralSourcesRandomTests {
  /// A bus, its reference, and the sources that are connected to it.
  private final class Run {
    let clock = ManualClock()
    let bus: any LifecycleBusProtocol
    var reference = ReferenceAggregate()
    var connections: [LifecycleCancellable?] = SourceSpec.all.map { _ in nil }
    var inputs: [LifecycleFeed?] = SourceSpec.all.map { _ in nil }
    var numbers: [Int] = SourceSpec.all.map { _ in 0 }
    var nextNumber = 1
    let seen = Collector<LifecycleEvent>()
    let suppressed = Collector<SuppressedInput>()
    var subscriptions: Set<AnyCancellable> = []
    var expectedEvents: [LifecycleEvent] = []
    var expectedSuppressed: [SuppressedInput] = []
    var actions: [SourceAction] = []

    init(_ kind: BusKind) {
      bus = kind.make(clock: clock)
      bus.events.sink { [seen] in seen($0) }.store(in: &subscriptions)
      bus.suppressedInputs.sink { [suppressed] in suppressed($0) }.store(in: &subscriptions)
    }

    func perform(_ action: SourceAction) throws {
      actions.append(action)
      clock.advance(by: .seconds(1))
      let now = clock.now
      switch action {
      case .connect(let source):
        let spec = SourceSpec.all[source]
        let feeder = TestSource(spec.name)
        connections[source] = try bus.connect(feeder, as: spec.role)
        inputs[source] = feeder.feed
        numbers[source] = nextNumber
        nextNumber += 1
        take(reference.make(.connect(numbers[source], spec.voice(numbers[source])), at: now))
      case .disconnect(let source):
        // By cancelling, by release, and by the source itself.
        switch actions.count % 3 {
        case 0: connections[source]?.cancel()
        case 1: connections[source] = nil
        default: inputs[source]?.disconnect()
        }
        take(reference.make(.disconnect(numbers[source]), at: now))
      case .send(let source, let kind):
        let text = ["step": "\(actions.count)"]
        let origin: LifecycleEvent.Origin
        let outcome: LifecycleSendResult
        if let source {
          origin = .source(SourceSpec.all[source].name)
          outcome = inputs[source]!.send(kind, metadata: text)
        } else {
          origin = .manual
          outcome = bus.send(kind, metadata: text)
        }
        let number = source.map { numbers[$0] } ?? ReferenceAggregate.own
        let call = ReferenceAggregate.Call.send(number, kind)
        let answer = reference.make(call, at: now, origin: origin, metadata: text)
        expectNoDifference(
          outcome,
          answer.suppressed.map { .suppressed($0) } ?? .delivered,
          "\(actions)"
        )
        if let reason = answer.suppressed {
          expectedSuppressed.append(
            SuppressedInput(kind: kind, reason: reason, origin: origin, instant: now)
          )
        }
        take(answer)
      }
    }

    private func take(_ answer: ReferenceAggregate.Answer) {
      expectedEvents += answer.events
    }

    var agrees: Bool {
      seen.values == expectedEvents && suppressed.values == expectedSuppressed
        && bus.phase == reference.phase
    }

    /// A failure that says what is wrong.
    func report(_ text: String) {
      let text = "\(text): \(actions)"
      expectNoDifference(seen.values, expectedEvents, text)
      expectNoDifference(suppressed.values, expectedSuppressed, text)
      expectNoDifference(bus.phase, reference.phase, text)
    }

    /// Sources that have gone go on sending, which counts for nothing.
    func randomAction(_ generator: inout Generator) -> SourceAction {
      let kinds = PhaseOracle.transitions.dropLast() + [.systemDidWake]
      // The end is rare, so that scripts have time.
      let kind =
        generator.next(below: 60) == 0 ? .willTerminate : kinds[generator.next(below: kinds.count)]
      let source = generator.next(below: SourceSpec.all.count)
      guard generator.next(below: 7) != 0 else { return .send(nil, kind) }
      guard numbers[source] != 0 else { return .connect(source) }
      switch generator.next(below: 8) {
      case 0: return .disconnect(source)
      case 1, 2: return hasLeft(source) ? .connect(source) : .send(source, kind)
      default: return .send(source, kind)
      }
    }

    private func hasLeft(_ source: Int) -> Bool {
      ReferenceAggregate.opinions(reference.history).connected[numbers[source]] == nil
    }
  }

  @Test("Five hundred random scripts do the same to the bus and to the reference")
  func randomScripts() throws {
    let seeds = seeds(500)
    var failures = 0
    var reasons: [SuppressedInput.Reason: Int] = [:]
    for seed in seeds where failures < 3 {
      let kind = BusKind.allCases[Int(seed % 2)]
      var generator = Generator(seed, 0, 0)
      let run = Run(kind)
      for _ in 0..<40 where run.agrees { try run.perform(run.randomAction(&generator)) }
      for input in run.expectedSuppressed { reasons[input.reason, default: 0] += 1 }
      guard !run.agrees else { continue }
      failures += 1
      run.report("LIFECYCLE_SEED=\(seed), \(kind.testDescription)")
    }
    guard seeds.count > 1, failures == 0 else { return }
    for reason in SuppressedInput.Reason.allCases {
      #expect(reasons[reason, default: 0] > 200, "\(reason) hardly ever happens")
    }
  }
}
