import CustomDump
import TestSupport
import Testing

@testable import ReactiveLifecycle

@Suite("Phase machine")
struct PhaseMachineTests {
  static let inputs = PhaseOracle.transitions + [.didReceiveMemoryWarning]

  /// What one machine made of a sequence of inputs.
  struct Run {
    var machine = PhaseMachine()
    var oracle = PhaseOracle()
    var events: [LifecycleEvent] = []
    var inputs: [LifecycleEvent.Kind] = []
  }

  /// Feeds every sequence of inputs up to a length, each step once: 7 + 7² + … + 7⁶ steps.
  private func explore(
    _ run: Run,
    depth: Int,
    visit: (_ before: Run, _ after: Run, _ emitted: [LifecycleEvent]) -> Void
  ) {
    guard depth > 0 else { return }
    for (number, kind) in Self.inputs.enumerated() {
      var after = run
      var emitted: [LifecycleEvent] = []
      after.inputs.append(kind)
      // The clocks jump about: forward by a second an input, but the wall clock back.
      let time = Duration.seconds(after.inputs.count)
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
      let reason = after.machine.accept(kind, from: input.source, at: instant) {
        emitted.append(LifecycleEvent(input, $0))
      }
      let expected = after.oracle.accept(kind, at: instant)
      check(reason, emitted, expected, input: input, inputs: after.inputs)
      after.events += emitted
      visit(run, after, emitted)
      explore(after, depth: depth - 1, visit: visit)
    }
  }

  private func check(
    _ reason: SuppressedInput.Reason?,
    _ emitted: [LifecycleEvent],
    _ expected: Result<[LifecycleEvent], PhaseOracle.Suppression>,
    input: PhaseMachine.Input,
    inputs: [LifecycleEvent.Kind]
  ) {
    switch expected {
    case .failure(let suppression):
      guard reason == suppression.reason, emitted.isEmpty else {
        Issue.record("\(inputs): expected \(suppression.reason), got \(emitted)")
        return
      }
    case .success(var events):
      events[events.count - 1].metadata = input.metadata
      guard reason != nil || events != emitted else { return }
      expectNoDifference(emitted, events, "\(inputs), suppressed: \(String(describing: reason))")
    }
  }

  @Test("Every input sequence up to length 6 does what a search of the diagram finds")
  func everySequence() {
    var steps = 0
    explore(Run(), depth: 6) { before, after, emitted in
      steps += 1
      let kind = after.inputs.last!
      func require(_ condition: Bool, _ what: @autoclosure () -> String) {
        if !condition { Issue.record("\(what()): \(after.inputs)") }
      }
      for event in emitted where event.kind.isTransition {
        require(
          PhaseOracle.edges.contains {
            $0.from == event.previousPhase && $0.kind == event.kind && $0.to == event.phase
          },
          "\(event.line) is no edge of the diagram"
        )
      }
      require(
        after.events.map(\.sequenceNumber) == Array(1..<after.events.count + 1),
        "the numbers have a gap"
      )
      require(
        zip(after.events, after.events.dropFirst()).allSatisfy { $0.phase == $1.previousPhase },
        "an event does not start where the one before it ended"
      )
      require(
        emitted.dropLast().allSatisfy { $0.origin == .synthesized && $0.kind != kind },
        "a step on the way is not marked as synthesized"
      )
      require(
        emitted.isEmpty || (emitted.last?.kind == kind && emitted.last?.origin == .manual),
        "the input's own event is not the last"
      )
      require(
        emitted.isEmpty == (before.machine.phase == .terminated || repeats(before, kind)),
        "suppressed although the phase would change, or delivered although not"
      )
      let falls = [.willResignActive, .didEnterBackground, .willTerminate].contains(kind)
      if kind.isTransition && !falls {
        require(after.machine.phase >= before.machine.phase, "an upward input lowered the phase")
      }
      if falls && before.machine.phase != .unknown {
        require(after.machine.phase <= before.machine.phase, "a downward input raised the phase")
      }
      checkStays(after, require)
    }
    expectNoDifference(steps, 7 + 49 + 343 + 2401 + 16807 + 117_649)
  }

  /// Whether the input is a transition that has nowhere to go.
  private func repeats(_ run: Run, _ kind: LifecycleEvent.Kind) -> Bool {
    kind.isTransition && PhaseOracle.path(from: run.machine.phase, endingWith: kind) == nil
  }

  /// A stay is on every foreground but the first after the launch, and on nothing else.
  private func checkStays(_ run: Run, _ require: (Bool, @autoclosure () -> String) -> Void) {
    var background: LifecycleInstant?
    for event in run.events {
      switch event.kind {
      case .didEnterBackground:
        background = event.instant
        require(event.backgroundStay == nil, "a stay on the way out")
      case .willEnterForeground:
        let stay = background.map { BackgroundStay(from: $0, to: event.instant) }
        require(event.backgroundStay == stay, "a wrong stay")
      default:
        require(event.backgroundStay == nil, "a stay on \(event.kind)")
      }
    }
  }

  @Test("A stay is never negative, and never more asleep than long, whatever the clocks say")
  func staysOfOddClocks() {
    let readings: [Duration] = [.zero, .milliseconds(1), .seconds(1), .seconds(90)]
    var instants: [LifecycleInstant] = []
    for continuous in readings {
      for suspending in readings {
        for wall in readings {
          instants.append(
            LifecycleInstant([continuous, suspending, wall])
          )
        }
      }
    }
    for entered in instants {
      for returned in instants {
        let stay = BackgroundStay(from: entered, to: returned)
        let continuous = returned.continuous - entered.continuous
        expectNoDifference(stay.duration, continuous < .zero ? .zero : continuous)
        #expect(stay.timeAsleep >= .zero && stay.timeAsleep <= stay.duration)
        expectNoDifference(
          stay.wallClockShift,
          returned.timeSince1970 - entered.timeSince1970 - continuous
        )
      }
    }
  }
}
