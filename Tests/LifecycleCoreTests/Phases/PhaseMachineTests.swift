import CustomDump
import Testing

@testable import LifecycleCore

/// The machine against a search of the diagram, and against a reference that works everything out anew
/// from all calls.
@Suite("Phase machine: every sequence")
struct PhaseMachineTests {
  static let kinds = PhaseOracle.transitions + [.systemDidWake]

  /// One machine, its reference, and how they came there.
  struct Run {
    var machine = PhaseMachine()
    var reference = ReferenceAggregate()
    /// The machine's numbers of the connected sources.
    var connected: [Int?] = Array(repeating: nil, count: SourceSpec.all.count)
    var actions: [SourceAction] = []

    /// Acts; false if the machine and the reference do not agree.
    mutating func perform(_ action: SourceAction) -> Bool {
      actions.append(action)
      let (instant, text) = moment(actions.count)
      var answer = ReferenceAggregate.Answer()
      let expected: ReferenceAggregate.Answer
      switch action {
      case .connect(let source):
        let spec = SourceSpec.all[source]
        let number = machine.connect(.init(name: spec.name, role: spec.role))
        connected[source] = number
        expected = reference.make(.connect(number, spec.voice(number)), at: instant)
      case .disconnect(let source):
        let number = connected[source].take()!
        machine.disconnect(number, at: instant) {
          answer.events.append(LifecycleEvent($0, at: instant, origin: .synthesized))
        }
        expected = reference.make(.disconnect(number), at: instant)
      case .send(let source, let kind):
        let number = source.map { connected[$0]! } ?? PhaseAggregate.ownSource
        let origin: LifecycleEvent.Origin =
          source.map { .source(SourceSpec.all[$0].name) } ?? .manual
        let input = PhaseMachine.Input(
          kind: kind,
          origin: origin,
          source: number,
          instant: instant,
          metadata: text
        )
        answer.suppressed = machine.accept(kind, from: number, at: instant) {
          answer.events.append(LifecycleEvent(input, $0))
        }
        expected = reference.make(
          .send(number, kind),
          at: instant,
          origin: origin,
          metadata: text
        )
      }
      guard answer != expected || machine.phase != reference.phase else { return true }
      expectNoDifference(answer, expected, "\(actions)")
      expectNoDifference(machine.phase, reference.phase, "\(actions)")
      return false
    }
  }

  /// What can be done next. Of two that are alike the second is connected after the first only.
  private func choices(_ run: Run) -> [SourceAction] {
    var result = Self.kinds.map { SourceAction.send(nil, $0) }
    for source in SourceSpec.all.indices {
      guard run.connected[source] != nil else {
        let comesAfter = [2: 1, 3: 1, 5: 4][source]
        if comesAfter.map({ run.connected[$0] != nil }) ?? true { result.append(.connect(source)) }
        continue
      }
      result.append(.disconnect(source))
      result += Self.kinds.map { .send(source, $0) }
    }
    return result
  }

  /// Every continuation of a run up to a length, each step once; the number of steps.
  private func explore(_ run: Run, depth: Int, _ failures: inout Int) -> Int {
    guard depth > 0 else { return 0 }
    var steps = 0
    for action in choices(run) where failures < 3 {
      var next = run
      steps += 1
      guard next.perform(action) else {
        failures += 1
        continue
      }
      steps += explore(next, depth: depth - 1, &failures)
    }
    return steps
  }

  @Test("Every sequence of connections and inputs up to length 4 follows the rules")
  func fromNothing() {
    var failures = 0
    let steps = explore(Run(), depth: 4, &failures)
    expectNoDifference(steps, 35_957)
  }

  @Test("Every two steps of six connected sources follow the rules")
  func fromEverybody() {
    var failures = 0
    var steps = 0
    // Who has already said that it is active.
    for speakers in 0..<(1 << 7) where failures < 3 {
      var run = Run()
      var preparations = SourceSpec.all.indices.map { SourceAction.connect($0) }
      for source in SourceSpec.all.indices where speakers & (1 << source) != 0 {
        preparations.append(.send(source, .didBecomeActive))
      }
      if speakers & (1 << 6) != 0 { preparations.append(.send(nil, .willEnterForeground)) }
      for action in preparations where !run.perform(action) { failures += 1 }
      steps += explore(run, depth: speakers.isMultiple(of: 32) ? 2 : 1, &failures)
    }
    #expect(steps > 10_000)
  }

  // MARK: One source

  /// Feeds every continuation of the inputs up to a length, each step once; returns the number of steps.
  private func explore(
    _ machine: PhaseMachine,
    _ oracle: PhaseOracle,
    _ inputs: [LifecycleEvent.Kind],
    depth: Int,
    _ failures: inout Int
  ) -> Int {
    guard depth > 0 else { return 0 }
    var steps = 0
    for (number, kind) in Self.kinds.enumerated() where failures < 3 {
      var (machine, oracle) = (machine, oracle)
      // The clocks jump about: forward by a second an input, but the wall clock back.
      let time = Duration.seconds(inputs.count)
      let instant = LifecycleInstant(
        continuous: .boot + time,
        timeAwake: time / 2,
        timeSince1970: .seconds(100 - number)
      )
      let input = PhaseMachine.Input(
        kind: kind,
        origin: .manual,
        instant: instant,
        metadata: ["input": "\(number)"]
      )
      var emitted: [LifecycleEvent] = []
      let reason = machine.accept(kind, from: input.source, at: instant) {
        emitted.append(LifecycleEvent(input, $0))
      }
      var expected: [LifecycleEvent] = []
      var expectedReason: SuppressedInput.Reason?
      switch oracle.accept(kind, at: instant) {
      case .success(let events): expected = events
      case .failure(let suppression): expectedReason = suppression.reason
      }
      // The steps on the way have no text.
      if !expected.isEmpty { expected[expected.count - 1].metadata = input.metadata }
      if emitted != expected || reason != expectedReason {
        expectNoDifference(emitted, expected, "\(inputs), then \(kind)")
        expectNoDifference(reason, expectedReason, "\(inputs), then \(kind)")
        failures += 1
      }
      steps += 1 + explore(machine, oracle, inputs + [kind], depth: depth - 1, &failures)
    }
    return steps
  }

  @Test("Every input sequence up to length 6 takes the path found in the diagram")
  func everySequence() {
    var failures = 0
    let steps = explore(PhaseMachine(), PhaseOracle(), [], depth: 6, &failures)
    guard failures == 0 else { return }
    expectNoDifference(steps, 7 + 49 + 343 + 2401 + 16807 + 117_649)
  }
}
