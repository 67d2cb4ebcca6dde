import CustomDump
import LifecycleCore
import Testing

@testable import LifecycleTesting

@Suite("Script machine")
struct ScriptMachineTests {
  /// A process as the actions make it, by the rules of the phases alone.
  private struct Actor {
    var machine = ScriptMachine()
    var phase = LifecyclePhase.unknown
    var wasKilled = false

    mutating func perform(_ step: LifecycleStep) throws(ImpossibleStep) {
      for action in try machine.perform(step, in: phase) {
        switch action {
        case .launch(isLocked: _): (phase, wasKilled) = (.unknown, false)
        case .kill: wasKilled = true
        case .send(let kind): phase = Self.targets[kind].map { target(of: kind, $0) } ?? phase
        case .pass, .setWallClock: break
        }
      }
    }

    private func target(of kind: LifecycleEvent.Kind, _ target: LifecyclePhase) -> LifecyclePhase {
      let goesUp = [.didFinishLaunching, .willEnterForeground, .didBecomeActive].contains(kind)
      return goesUp ? max(phase, target) : min(phase, target)
    }

    private static let targets: [LifecycleEvent.Kind: LifecyclePhase] = [
      .didFinishLaunching: .background, .willEnterForeground: .inactive, .didBecomeActive: .active,
      .willResignActive: .inactive, .didEnterBackground: .background, .willTerminate: .terminated,
    ]
  }

  @Test("Every sequence of 5 steps is possible exactly where the table allows it")
  func everySequence() {
    var count = 0
    func explore(_ actor: Actor, _ life: Life, _ path: [LifecycleStep]) {
      for (step, lives) in Life.table {
        var next = actor
        let path = path + [step]
        count += 1
        var isPossible = true
        do { try next.perform(step) } catch { isPossible = false }
        let expected = lives[life]
        guard isPossible == (expected != nil) else {
          Issue.record("\(path.map(\.description)) is\(isPossible ? "" : "n't") possible")
          return
        }
        guard let expected else { continue }
        if expected != .dead && expected != .unborn && next.phase != expected.phase {
          Issue.record("\(path.map(\.description)) leads to \(next.phase)")
        }
        if path.count < 5 { explore(next, expected, path) }
      }
    }
    explore(Actor(), .unborn, [])
    #expect(count > 20_000)
  }

  @Test(
    "A refusal names the step, what is wrong, and what to do",
    arguments: [
      ([.becomeActive], .unknown, "the process has not been launched. Perform launch first."),
      ([.relaunch], .unknown, "the process has never been launched. Use launch instead."),
      (
        [.launch, .launch], .background,
        "the process is still running. End it with kill, terminate, or restartDevice first."
      ),
      (
        [.launch, .kill, .memoryWarning], .active,
        "the process has ended. Perform relaunch first."
      ),
      (
        [.launch, .enterBackground], .background,
        "the process is in the background, but must be inactive or active."
      ),
      (
        [.launch, .background(for: .seconds(1), deviceAsleep: .seconds(2))], .active,
        "the device can't be asleep for 2 s of 1 s. Choose a shorter sleep."
      ),
      (
        [.launch, .background(for: .seconds(-1))], .active,
        "-1 s is a negative duration. Only the wall clock can go back: use setWallClock(by:)."
      ),
      (
        [.launch, .duplicate(.didBecomeActive)], .inactive,
        "the process is inactive, so this is not a duplicate. Use send for any other event."
      ),
    ] as [([LifecycleStep], LifecyclePhase, String)]
  )
  func refusal(_ steps: [LifecycleStep], in phase: LifecyclePhase, _ reason: String) throws {
    var machine = ScriptMachine()
    for step in steps.dropLast() { _ = try machine.perform(step, in: phase) }
    let error = #expect(throws: ImpossibleStep.self) {
      try machine.perform(steps.last!, in: phase)
    }
    expectNoDifference(
      error.map { "\($0)" },
      "The step \(steps.last!) is impossible: \(reason) The script ends here."
    )
  }
}

/// What a person would say about a process: whether it runs, and how it stands.
enum Life: Hashable, CaseIterable {
  case unborn, background, inactive, active, dead

  var phase: LifecyclePhase {
    switch self {
    case .unborn: .unknown
    case .background: .background
    case .inactive: .inactive
    case .active: .active
    case .dead: .terminated
    }
  }

  /// Where a step leads from each life; what is not there is impossible.
  static let table: [(step: LifecycleStep, lives: [Life: Life])] = [
    (.launch, [.unborn: .background, .dead: .background]),
    (.relaunch, [.dead: .background]),
    (.becomeActive, [.background: .active, .inactive: .active]),
    (.resignActive, [.active: .inactive]),
    (.enterBackground, [.active: .background, .inactive: .background]),
    (.enterForeground, [.background: .inactive]),
    (
      .background(for: .seconds(3), deviceAsleep: .seconds(1)),
      [.active: .active, .inactive: .active]
    ),
    (
      .duplicate(.didFinishLaunching),
      [.background: .background, .inactive: .inactive, .active: .active]
    ),
    (.duplicate(.willEnterForeground), [.inactive: .inactive, .active: .active]),
    (.duplicate(.didBecomeActive), [.active: .active]),
    (.duplicate(.willTerminate), [:]),
    (.duplicate(.didEnterBackground), [.background: .background]),
    (.memoryWarning, [.background: .background, .inactive: .inactive, .active: .active]),
    (
      .significantTimeChange(by: .seconds(-7)),
      [.background: .background, .inactive: .inactive, .active: .active]
    ),
    (
      .send(.willResignActive),
      [.background: .background, .inactive: .inactive, .active: .inactive]
    ),
    (.terminate, [.background: .dead, .inactive: .dead, .active: .dead]),
    (.kill, [.background: .dead, .inactive: .dead, .active: .dead]),
    (
      .stopProcess(for: .seconds(1)),
      [.background: .background, .inactive: .inactive, .active: .active]
    ),
    (
      .restartDevice(for: .seconds(1)),
      [.unborn: .unborn, .background: .dead, .inactive: .dead, .active: .dead, .dead: .dead]
    ),
    (.advance(by: .milliseconds(700)), Dictionary(uniqueKeysWithValues: zip(allCases, allCases))),
    (.setWallClock(by: .seconds(-7)), Dictionary(uniqueKeysWithValues: zip(allCases, allCases))),
  ]
}
