import CustomDump
import ReactiveLifecycle
import Testing

@testable import LifecycleBackgroundWork

/// Every sequence of inputs against an oracle that looks at the whole sequence at once.
@Suite("Background fetch: the scheduler's machine")
struct BackgroundFetchScheduleMachineTests {
  enum Input: Hashable, CaseIterable, Sendable {
    case never, every10, every20
    /// A little late for what is due in 10 s, but on time.
    case wait10, wait17
    case turnPhase, turnHandler
    case finish, end

    var wait: Duration {
      switch self {
      case .wait10: .milliseconds(10_060)
      case .wait17: .seconds(17)
      default: .zero
      }
    }

    /// Nil if this sets none.
    var interval: Duration?? {
      switch self {
      case .never: .some(nil)
      case .every10: .seconds(10)
      case .every20: .seconds(20)
      default: nil
      }
    }
  }

  /// One input, and what followed from it.
  private struct Step {
    var input: Input
    /// The time after the input.
    var now: ContinuousInstant
    /// From when the next fetch is counted, if one began.
    var began: ContinuousInstant?
  }

  /// When the next fetch is due, as of the last of the steps; nil for never.
  private func due(_ steps: [Step], _ beginsOn: Bool) -> ContinuousInstant? {
    let inputs = steps.map(\.input)
    func isOn(_ turn: Input) -> Bool {
      beginsOn == (inputs.filter { $0 == turn }.count % 2 == 0)
    }
    let lastBegin = steps.lastIndex { $0.began != nil }
    let isRunning = lastBegin.map { !inputs[($0 + 1)...].contains(.finish) } ?? false
    guard
      isOn(.turnPhase), isOn(.turnHandler), !isRunning, !inputs.contains(.end),
      let interval = inputs.compactMap(\.interval).last ?? nil
    else { return nil }
    // Without a fetch, from the first interval after the last never.
    let sinceNever = steps[(inputs.lastIndex(of: .never).map { $0 + 1 } ?? 0)...]
    let reference =
      lastBegin.flatMap { steps[$0].began }
      ?? sinceNever.first { $0.input.interval != nil }!.now
    return reference + interval
  }

  /// - Parameter beginsOn: Whether the phase is right, and there is a handler, at the beginning.
  @Test(
    "In every sequence of six inputs, fetches begin one at a time, when they are due, without drift",
    arguments: [(true, 6), (false, 5)]
  )
  func everySequence(_ beginsOn: Bool, _ length: Int) {
    var failure: String?
    var begun = 0

    func follow(_ past: [Step], _ machine: BackgroundFetchScheduleMachine) {
      guard past.count < length, failure == nil else { return }
      for input in Input.allCases {
        var machine = machine
        let before = machine
        let now = (past.last?.now ?? .boot) + input.wait
        var steps = past + [Step(input: input, now: now)]
        let begins = past.count { $0.began != nil }
        switch input {
        case .never, .every10, .every20: machine.setInterval(input.interval!, at: now)
        case .wait10, .wait17: break
        case .turnPhase: machine.isInPhase.toggle()
        case .turnHandler: machine.hasHandler.toggle()
        case .finish:
          machine.finish(begins - 1)
          if machine != before {
            failure = "\(steps.map(\.input)): the end of an earlier fetch ends nothing"
          }
          machine.finish(begins)
        case .end: machine.end()
        }
        let due = due(steps, beginsOn)
        let isDue = due.map { $0 <= now } ?? false
        let expected: BackgroundFetchScheduleMachine.Action =
          isDue ? .begin(begins + 1) : .wait(until: due)
        let actual = machine.next(at: now)
        if actual != expected {
          failure = "\(steps.map(\.input)): \(actual), not \(expected)"
          return
        }
        if let due, isDue {
          begun += 1
          // One that is on time is counted from when it was due.
          steps[past.count].began = now - due > .milliseconds(100) ? now : due
        }
        // What changes nothing leads nowhere else, nor does anything after the end.
        if machine != before || input.wait > .zero, input != .end { follow(steps, machine) }
      }
    }

    var machine = BackgroundFetchScheduleMachine()
    machine.isInPhase = beginsOn
    machine.hasHandler = beginsOn
    follow([], machine)
    expectNoDifference(failure, nil)
    #expect(begun > 10)
  }
}
