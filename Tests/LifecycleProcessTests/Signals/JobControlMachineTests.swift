import CustomDump
import LifecycleCore
import Testing

@testable import LifecycleProcess

@Suite("Job control machine")
struct JobControlMachineTests {
  @Test("A SIGCONT from before Ctrl-Z cancels no stop")
  func olderContinue() {
    var machine = JobControlMachine(terminal: .foreground)
    for input in [JobControlInput.signal(.stop, at: 1), .armed(isCancelled: false)] {
      _ = machine.handle(input)
    }
    for input in [JobControlInput.deliveriesFinished, .signal(.continue, at: 0)] {
      expectNoDifference(machine.handle(.signal(.continue, at: 0)), [])
      expectNoDifference(machine.handle(input), [])
    }
    expectNoDifference(machine.handle(.tasksFinished), [.stop])
  }

  @Test("A second SIGTERM has no effect on a process without a terminal; SIGINT has")
  func signalThatDoesNotInsist() {
    for requestsExit in [false, true] {
      var machine = JobControlMachine(terminal: .foreground)
      machine.requestsExit = requestsExit
      machine.insisting = [.interrupt]
      _ = machine.handle(.signal(.terminate, at: 1))
      let later = SignalMoment(integerLiteral: JobControlMachine.leastTime + 1)
      expectNoDifference(machine.handle(.signal(.terminate, at: later)), [])
      let first: JobControlAction = requestsExit ? .withdrawExitRequest : .hurry
      expectNoDifference(machine.handle(.signal(.interrupt, at: later)).first, first)
    }
  }
}

@Suite("Job control machine, every input sequence")
struct JobControlMachineExhaustiveTests {
  /// Inputs as the engine may offer them; the time is the step's number.
  enum Step: CaseIterable {
    case stop, staleStop, resume, terminate, interrupt, hangUp
    case armed, armedInVain, finished, late, tasksFinished
    case resumedInFront, resumedBehind, looksInFront, looksBehind, looksGone
    case agreed, cancelled

    func input(at step: Int) -> JobControlInput {
      // Of two signals, the next but one is late enough to insist.
      let time = Int64(step) * 150_000_000
      let moment = SignalMoment(continuous: time, suspending: 0, wall: 0)
      return switch self {
      case .stop: .signal(.stop, at: moment)
      case .staleStop: .signal(.stop, at: .zero)
      case .resume: .signal(.continue, at: moment)
      case .terminate: .signal(.terminate, at: moment)
      case .interrupt: .signal(.interrupt, at: moment)
      case .hangUp: .signal(.hangUp, at: moment)
      case .armed: .armed(isCancelled: false)
      case .armedInVain: .armed(isCancelled: true)
      case .finished: .deliveriesFinished
      case .late: .deadlinePassed
      case .tasksFinished: .tasksFinished
      case .resumedInFront: .resumed(at: moment, .foreground)
      case .resumedBehind: .resumed(at: moment, .background)
      case .looksInFront: .terminal(.foreground, because: nil)
      case .looksBehind: .terminal(.background, because: moment)
      case .looksGone: .terminal(.gone, because: nil)
      case .agreed: .exitAnswered(isCancelled: false, at: moment)
      case .cancelled: .exitAnswered(isCancelled: true, at: moment)
      }
    }
  }

  @Test(
    "Every sequence of up to six inputs keeps the rules of job control",
    arguments: [ControllingTerminal.State.foreground, .background],
    [
      Choices(termination: .reraise), Choices(termination: .observe),
      Choices(termination: .reraise, reload: .hangUp),
      Choices(termination: .reraise, requestsExit: true),
      Choices(termination: .observe, requestsExit: true),
    ]
  )
  func everySequence(terminal: ControllingTerminal.State, choices: Choices) {
    var machine = JobControlMachine(terminal: terminal)
    machine.termination = choices.termination
    machine.reloads = choices.reload
    machine.requestsExit = choices.requestsExit
    // The inputs reach the terminal's other states at once.
    var search = Search(longest: terminal == .foreground ? 6 : 5)
    let rules = JobControlRules(
      terminal: terminal,
      reload: choices.reload,
      requestsExit: choices.requestsExit
    )
    search.explore(machine, rules, depth: 1)
    expectNoDifference(search.breaches, [])
    expectNoDifference(search.sequences, search.size(from: 1), "none was left out")
    // A reload takes the place of death by the same signal.
    let actions = (choices.termination == .reraise ? 16 : 11) + (choices.requestsExit ? 4 : 0)
    expectNoDifference(search.actions.count, actions, "every one is reached")
  }

  struct Choices {
    var termination: ProcessSignalSource.Termination
    var reload: ProcessSignalSource.Signals = []
    var requestsExit = false
  }

  private struct Search {
    let longest: Int
    var path: [Step] = []
    var sequences = 0
    var breaches: [String] = []
    var actions: Set<String> = []

    /// How many sequences there are with the steps from this one on.
    func size(from depth: Int) -> Int {
      guard depth <= longest else { return 0 }
      return Step.allCases.count * (1 + size(from: depth + 1))
    }

    mutating func explore(_ before: JobControlMachine, _ rules: JobControlRules, depth: Int) {
      for step in Step.allCases {
        var machine = before
        var watched = rules
        path.append(step)
        sequences += 1
        let done = machine.handle(step.input(at: depth))
        let breach = watched.breach(by: step.input(at: depth), done, after: machine)
        for action in done { actions.insert(Self.name(action)) }
        if let breach {
          if breaches.count < 5 { breaches.append("\(breach): \(path)") }
        } else if done.isEmpty, machine == before, watched == rules {
          // Ignored, so what follows is what follows without it, and that is explored besides.
          sequences += size(from: depth + 1)
        } else if depth < longest {
          explore(machine, watched, depth: depth + 1)
        }
        path.removeLast()
      }
    }

    private static func name(_ action: JobControlAction) -> String {
      switch action {
      case .announce(let kind, _, _, let isAwaited): "\(kind) \(isAwaited)"
      case .armStop: "armStop"
      case .readTerminal: "readTerminal"
      default: "\(action)"
      }
    }
  }
}

extension SignalMoment: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) {
    self.init(continuous: value, suspending: value, wall: value)
  }
}
