import CustomDump
import LifecycleCore
import Testing

@testable import LifecycleProcess

@Suite("Job control machine")
struct JobControlMachineTests {
  @Test("Ctrl-Z stops the process after observers and tasks; it is active again when it resumes")
  func stopAndReturn() {
    var machine = JobControlMachine(terminal: .foreground)
    expectNoDifference(machine.handle(.signal(.stop, at: 1)), [.armStop(since: 1)])
    expectNoDifference(
      machine.handle(.armed(isCancelled: false)),
      [
        .startGrace(of: .stop),
        .announce(.didEnterBackground, signal: .stop, at: 1, isAwaited: true),
      ]
    )
    #expect(!machine.isIdle)
    for input in [JobControlInput.deliveriesFinished, .signal(.continue, at: 0)] {
      expectNoDifference(machine.handle(.signal(.continue, at: 0)), [], "older than the stop")
      expectNoDifference(machine.handle(input), [])
    }
    expectNoDifference(machine.handle(.tasksFinished), [.stop])
    expectNoDifference(
      machine.handle(.resumed(at: 9, .foreground)),
      [.endGrace, .announce(.didBecomeActive, signal: nil, at: 9, isAwaited: false)]
    )
    #expect(machine.isIdle)
    #expect(!machine.needsPolling)
  }

  @Test("A second SIGTERM or SIGINT within 0.3 s of the first is ignored")
  func secondEndSignal() {
    let first: Int64 = 1_000_000_000
    for signal in [JobControlSignal.terminate, .interrupt] {
      for (delay, isSecond) in [(5_000_000, false), (299_999_999, false), (300_000_000, true)] {
        var machine = JobControlMachine(terminal: .foreground)
        _ = machine.handle(.signal(.terminate, at: SignalMoment(integerLiteral: first)))
        let moment = SignalMoment(integerLiteral: first + Int64(delay))
        let actions = machine.handle(.signal(signal, at: moment))
        expectNoDifference(actions, isSecond ? [.hurry] : [], "\(signal) after \(delay) ns")
      }
    }
  }

  @Test("A process that another party ends announces its end at the first signal alone")
  func observedEnd() {
    var machine = JobControlMachine(terminal: .foreground)
    machine.termination = .observe
    let end = JobControlAction.announce(.willTerminate, signal: .hangUp, at: 1, isAwaited: false)
    expectNoDifference(machine.handle(.signal(.hangUp, at: 1)), [end])
    expectNoDifference(machine.handle(.signal(.terminate, at: 2)), [])
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
      let time = Int64(step) * JobControlMachine.leastTime / 2
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
