import CustomDump
import ReactiveLifecycle
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
        case .launch: (phase, wasKilled) = (.unknown, false)
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

  private static let length = 5

  @Test("Every sequence of steps to length 5 is possible exactly where the table says so")
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
        if path.count < Self.length { explore(next, expected, path) }
      }
    }
    explore(Actor(), .unborn, [])
    #expect(count > (Self.length == 5 ? 20_000 : 3_000))
  }

  @Test("What is refused is told with what would have to be, and what to do")
  func refusalSaysWhatWouldHaveToBe() {
    func message(_ steps: LifecycleStep..., in phase: LifecyclePhase) -> String? {
      var machine = ScriptMachine()
      do {
        for step in steps.dropLast() { _ = try machine.perform(step, in: phase) }
        _ = try machine.perform(steps.last!, in: phase)
        return nil
      } catch {
        return "\(error)"
      }
    }
    expectNoDifference(
      [
        message(.becomeActive, in: .unknown),
        message(.relaunch, in: .unknown),
        message(.launch, .launch, in: .background),
        message(.launch, .becomeActive, in: .active),
        message(.launch, .kill, .memoryWarning, in: .active),
        message(.launch, .enterBackground, in: .background),
        message(.launch, .background(for: .seconds(1)), in: .background),
        message(.launch, .background(for: .seconds(1), deviceAsleep: .seconds(2)), in: .active),
        message(.launch, .background(for: .seconds(-1)), in: .active),
        message(.launch, .duplicate(.didBecomeActive), in: .inactive),
        message(.launch, .duplicate(.willTerminate), in: .inactive),
        message(.advance(by: .milliseconds(-1500)), in: .unknown),
        message(.launch, .enterForeground, in: .terminated),
        message(.launch, .becomeActive, in: .unknown),
      ],
      [
        """
        The step becomeActive is impossible: the process has not been launched. Perform launch \
        first. The script ends here.
        """,
        """
        The step relaunch is impossible: the process has never been launched. Use launch instead. \
        The script ends here.
        """,
        """
        The step launch is impossible: the process is still running. End it with kill, terminate, \
        or restartDevice first. The script ends here.
        """,
        """
        The step becomeActive is impossible: the process is active, but must be in the background \
        or inactive. The script ends here.
        """,
        """
        The step memoryWarning is impossible: the process has ended. Perform relaunch first. The \
        script ends here.
        """,
        """
        The step enterBackground is impossible: the process is in the background, but must be \
        inactive or active. The script ends here.
        """,
        """
        The step background(for: 1 s) is impossible: the process is in the background, but must be \
        inactive or active. The script ends here.
        """,
        """
        The step background(for: 1 s, deviceAsleep: 2 s) is impossible: the device can't be asleep \
        for 2 s of 1 s. Choose a shorter sleep. The script ends here.
        """,
        """
        The step background(for: -1 s) is impossible: -1 s is a negative duration. Only the wall \
        clock can go back: use setWallClock(by:). The script ends here.
        """,
        """
        The step duplicate(didBecomeActive) is impossible: the process is inactive, so this is not \
        a duplicate. Use send for any other event. The script ends here.
        """,
        """
        The step duplicate(willTerminate) is impossible: the process is inactive, so this is not a \
        duplicate. Use send for any other event. The script ends here.
        """,
        """
        The step advance(by: -1.5 s) is impossible: -1.5 s is a negative duration. Only the wall \
        clock can go back: use setWallClock(by:). The script ends here.
        """,
        """
        The step enterForeground is impossible: the process has ended. Perform relaunch first. The \
        script ends here.
        """,
        """
        The step becomeActive is impossible: the process is in an unknown phase, but must be in \
        the background or inactive. The script ends here.
        """,
      ]
    )
  }

  @Test(
    "A duplicate is possible where its event would not change the phase",
    arguments: [
      (.terminated, []), (.unknown, []),
      (.background, [.didFinishLaunching, .willResignActive, .didEnterBackground]),
      (.inactive, [.didFinishLaunching, .willEnterForeground, .willResignActive]),
      (.active, [.didFinishLaunching, .willEnterForeground, .didBecomeActive]),
    ] as [(LifecyclePhase, [LifecycleEvent.Kind])]
  )
  func duplicates(in phase: LifecyclePhase, _ possible: [LifecycleEvent.Kind]) {
    let kinds: [LifecycleEvent.Kind] = [
      .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground, .willTerminate, .didReceiveMemoryWarning,
    ]
    let found = kinds.filter { kind in
      var machine = ScriptMachine()
      _ = try? machine.perform(.launch, in: .unknown)
      return (try? machine.perform(.duplicate(kind), in: phase)) == [.send(kind)]
    }
    expectNoDifference(found, possible)
  }
}
