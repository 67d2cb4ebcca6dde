import CustomDump
import LifecycleProcess
import Testing

@testable import LifecycleTerminal

@Suite("Terminal session machine")
struct TerminalSessionMachineTests {
  typealias Input = TerminalSessionMachine.Input
  typealias Action = TerminalSessionMachine.Action

  private static let inputs: [Input] = [ControllingTerminal.State.foreground, .background, .gone]
    .flatMap {
      [.read($0), .continued($0), .willStop($0), .resumed($0), .closed($0), .ended($0)]
    }

  @Test("Every sequence of up to four inputs keeps the rules of the terminal")
  func everySequence() {
    var breaches: [String] = []
    var count = 0
    func explore(_ machine: TerminalSessionMachine, _ rules: Rules, _ path: [Input]) {
      count += 1
      guard path.count < 4 else { return }
      for input in Self.inputs {
        var (machine, rules) = (machine, rules)
        let actions = machine.handle(input)
        if let breach = rules.check(input, actions, machine) {
          breaches.append("\(path + [input]): \(breach)")
        } else {
          explore(machine, rules, path + [input])
        }
      }
    }
    explore(TerminalSessionMachine(), Rules(), [])
    #expect(breaches.isEmpty, "\(breaches.prefix(5))")
    expectNoDifference(count, 111_151, "none was left out")
  }

  /// What must hold whatever happens, without the machine's states.
  private struct Rules {
    var hasTerminal = false
    var isStopped = false
    var hasHungUp = false
    var hasEnded = false

    mutating func check(
      _ input: Input,
      _ actions: [Action],
      _ machine: TerminalSessionMachine
    ) -> String? {
      let terminal = input.terminal
      if hasEnded { return actions.isEmpty ? nil : "acts after the end" }
      hasEnded = input.isEnd
      if hasHungUp {
        let expected: [Action] = input.isClosing ? [.endInput] : []
        return actions == expected ? nil : "acts after the terminal has hung up"
      }
      let touches = actions.filter { [.take, .takeAgain, .giveBack].contains($0) }
      if terminal != .foreground, !touches.isEmpty { return "touched in the background" }
      if touches.count > 1 { return "touched twice" }
      let hadTerminal = hasTerminal
      switch touches.first {
      case .take:
        if hasTerminal { return "taken twice: the saved settings are lost" }
        if isStopped, !input.isResumption { return "taken before the stop is over" }
        hasTerminal = true
      case .takeAgain:
        if !hasTerminal { return "nothing is saved" }
      case .giveBack:
        if !hasTerminal { return "nothing is saved" }
        hasTerminal = false
      default: break
      }
      if input.isStop { isStopped = true }
      if input.isResumption { isStopped = false }
      hasHungUp = actions.contains(.endInputLater)
      let isLost = terminal != .foreground || isStopped || hasEnded
      if isLost, touches.isEmpty { hasTerminal = false }
      if hadTerminal, !hasTerminal, !actions.contains(.forgetFocus) { return "keeps the focus" }
      if hasTerminal, isLost { return "keeps the terminal" }
      if !hasTerminal, !isLost { return "does not take the terminal" }
      if hadTerminal, case .continued(.foreground) = input, actions != [.takeAgain] {
        return "trusts settings that a shell may have changed"
      }
      if actions.contains(.endInput) != input.isClosing { return "ends the input, or does not" }
      let hangsUp = terminal == .gone && !input.isStop && !input.isEnd
      if hasHungUp != hangsUp { return "notices a hang-up, or does not" }
      return (machine.possession == .taken) == hasTerminal ? nil : "says something else"
    }
  }
}

extension TerminalSessionMachine.Input {
  fileprivate var terminal: ControllingTerminal.State {
    switch self {
    case .read(let terminal), .continued(let terminal), .willStop(let terminal),
      .resumed(let terminal), .closed(let terminal), .ended(let terminal):
      terminal
    }
  }

  fileprivate var isStop: Bool { if case .willStop = self { true } else { false } }
  fileprivate var isResumption: Bool { if case .resumed = self { true } else { false } }

  fileprivate var isClosing: Bool { if case .closed = self { true } else { false } }

  fileprivate var isEnd: Bool {
    switch self {
    case .closed, .ended: true
    default: false
    }
  }
}
