import CustomDump
import Testing

@testable import LifecycleCore

/// An observer, a caller, or an asker.
private final class Name: Sendable {
  let name: Int
  init(_ name: Int) { self.name = name }
}

@Suite("Exit requests: machine of the rounds")
struct ExitRequestMachineTests {
  private typealias Machine = ExitRequestMachine<Name, Name>

  private enum Input: Hashable, CaseIterable, CustomStringConvertible {
    case request(Int)
    case answer(ExitRequestMachine<Name, Name>.Answer)
    /// The answer to the question before the current one.
    case staleAnswer
    case withdraw(Int)

    static let allCases: [Input] =
      (0...1).map(Self.request) + Machine.Answer.allCases.map(Self.answer) + [.staleAnswer]
      + (0...1).map(Self.withdraw)

    var description: String {
      switch self {
      case .request(let caller): "request \(caller)"
      case .answer(let answer): "\(answer)"
      case .staleAnswer: "stale"
      case .withdraw(let caller): "withdraw \(caller)"
      }
    }
  }

  /// What should happen, by the whole past.
  private struct Oracle {
    let observers: [Int]
    var callers: [Int] = []
    var answers: [ExitRequestMachine<Name, Name>.Answer] = []

    mutating func handle(_ input: Input) -> [String] {
      switch input {
      case .request(let caller):
        callers.append(caller)
        guard callers.count == 1 else { return [] }
        answers = []
        return next()
      case .answer(let answer):
        guard !callers.isEmpty else { return [] }
        answers.append(answer)
        return next()
      case .staleAnswer:
        return []
      case .withdraw(let caller):
        guard let index = callers.firstIndex(of: caller) else { return [] }
        callers.remove(at: index)
        return ["\(caller): \(outcome)"]
          + (callers.isEmpty ? ["dismiss \(observers[answers.count])"] : [])
      }
    }

    private var outcome: String {
      let cancelled = zip(observers, answers).filter { $0.1 == .cancel }.map(\.0)
      return "\(cancelled) \(Array(observers[answers.count...]))"
    }

    private mutating func next() -> [String] {
      if answers.count < observers.count {
        return ["ask \(observers[answers.count]) \(answers.contains(.cancel)) \(callers)"]
      }
      defer { callers = [] }
      return callers.map { "\($0): \(outcome)" }
    }
  }

  @Test("Requests, answers and withdrawals in every sequence follow the rules", arguments: 0...3)
  func everySequence(_ observerCount: Int) {
    let callers = [Name(0), Name(1)]
    let observers = (0..<observerCount).map(Name.init)
    var count = 0
    func extend(_ machine: Machine, _ oracle: Oracle, _ number: Int, _ past: [Input], _ depth: Int)
    {
      count += 1
      guard depth > 0 else { return }
      for input in Input.allCases {
        // Each caller requests once at a time.
        if case .request(let caller) = input, oracle.callers.contains(caller) { continue }
        var machine = machine
        var oracle = oracle
        var number = number
        var lines: [String] = []
        func note(_ action: Machine.Action?) {
          switch action {
          case .ask(let question):
            number = question.number
            let names = question.callers.map(\.name)
            lines.append("ask \(question.observer.name) \(question.isCancelled) \(names)")
          case .finish(let round):
            lines += round.callers.map {
              "\($0.name): \(round.cancelledBy.map(\.name)) \(round.unanswered.map(\.name))"
            }
          case nil: break
          }
        }
        switch input {
        case .request(let caller): note(machine.request(callers[caller], asking: observers))
        case .answer(let answer): note(machine.receive(answer, to: number))
        case .staleAnswer: note(machine.receive(.cancel, to: number - 1))
        case .withdraw(let caller):
          if let withdrawal = machine.withdraw(callers[caller]) {
            let round = withdrawal.round
            let (by, left) = (round.cancelledBy.map(\.name), round.unanswered.map(\.name))
            lines.append("\(caller): \(by) \(left)")
            if let question = withdrawal.dismissed {
              lines.append("dismiss \(question.observer.name)")
              expectNoDifference(question.number, number)
            }
          }
        }
        let expected = oracle.handle(input)
        let waiting = machine.question(number)?.callers.map(\.name) ?? []
        if lines != expected || waiting != oracle.callers {
          Issue.record("\(past + [input]): \(lines) instead of \(expected)")
          return
        }
        extend(machine, oracle, number, past + [input], depth - 1)
      }
    }
    extend(Machine(), Oracle(observers: observers.map(\.name)), 0, [], 5)
    #expect(count > 5_000)
  }
}

@Suite("Exit requests: machine of an observer's calls")
struct ExitQuestionMachineTests {
  enum Input: CaseIterable {
    case ask, didBegin, lateBegin, didReturn, dismissFirst, dismissLast, endLife, leave
  }

  /// What should happen, by facts that no input but the obvious one changes.
  private struct Oracle {
    var askers: [Int] = []
    var lastAsker = 0
    var callCount = 0
    var isCalling = false
    /// Nobody waits for the call.
    var isAbandoned = false
    /// The machine has received which call it is.
    var isKnown = false
    /// The observer is silent. It leaves the machine later, after the delivery under way.
    var isLive = true
    var hasLeft = false

    mutating func handle(_ input: Input) -> String {
      switch input {
      case .ask:
        lastAsker += 1
        guard isLive else { return "left" }
        askers.append(lastAsker)
        return isCalling ? "wait" : begin()
      case .didBegin:
        isKnown = true
        return isCalling && !isAbandoned ? "" : callCount > 0 && isCalling ? "cancel" : ""
      case .lateBegin: return ""
      case .didReturn:
        isCalling = false
        guard !hasLeft else { return "" }
        guard isAbandoned, isLive else {
          defer { (askers, isAbandoned) = ([], false) }
          return "answer \(askers)"
        }
        return askers.first.map { "\(begin()) for \($0)" } ?? ""
      case .dismissFirst, .dismissLast:
        guard !askers.isEmpty else { return "" }
        if input == .dismissFirst { askers.removeFirst() } else { askers.removeLast() }
        guard askers.isEmpty, isCalling, !isAbandoned else { return "" }
        isAbandoned = true
        return isKnown ? "cancel" : ""
      case .endLife:
        isLive = false
        return ""
      case .leave:
        defer { (askers, hasLeft, isAbandoned) = ([], true, true) }
        let cancels = isCalling && !isAbandoned && isKnown
        return "\(askers)\(cancels ? " cancel" : "")"
      }
    }

    private mutating func begin() -> String {
      callCount += 1
      (isCalling, isAbandoned, isKnown) = (true, false, false)
      return "call \(callCount)"
    }
  }

  /// A call is reported once, when it has begun, and returns once.
  private func isLegal(_ input: Input, _ oracle: Oracle) -> Bool {
    switch input {
    case .ask, .dismissFirst, .dismissLast: true
    case .didBegin: oracle.isCalling && !oracle.isKnown
    case .lateBegin: oracle.callCount > 1 || oracle.callCount == 1 && !oracle.isCalling
    case .didReturn: oracle.isCalling
    case .endLife: oracle.isLive
    case .leave: !oracle.isLive && !oracle.hasLeft
    }
  }

  @Test("An observer is never called twice at a time, in every sequence of inputs")
  func everySequence() {
    let task = Task {}
    var count = 0
    func extend(
      _ machine: ExitQuestionMachine<Name>,
      _ oracle: Oracle,
      _ past: [Input],
      _ depth: Int
    ) {
      count += 1
      guard depth > 0 else { return }
      for input in Input.allCases where isLegal(input, oracle) {
        var machine = machine
        var oracle = oracle
        let before = oracle
        let expected = oracle.handle(input)
        let text: String
        switch input {
        case .ask:
          switch machine.ask(Name(before.lastAsker + 1), isLive: before.isLive) {
          case .call(let number): text = "call \(number)"
          case .wait: text = "wait"
          case .left: text = "left"
          }
        case .didBegin:
          text = machine.didBegin(task, number: before.callCount) == nil ? "" : "cancel"
        case .lateBegin:
          let number = before.isCalling ? before.callCount - 1 : before.callCount
          let mayCancel = before.hasLeft && number == before.callCount
          let call = machine.didBegin(task, number: number)
          text = call == nil || mayCancel ? "" : "cancel"
        case .didReturn:
          switch machine.callDidReturn(isLive: before.isLive) {
          case .answer(let askers): text = "answer \(askers.map(\.name))"
          case .callAgain(let number, let asker): text = "call \(number) for \(asker.name)"
          case .none: text = ""
          }
        case .dismissFirst, .dismissLast:
          let asker = input == .dismissFirst ? before.askers.first : before.askers.last
          text = machine.dismiss { $0.name == asker } == nil ? "" : "cancel"
        case .endLife:
          text = ""
        case .leave:
          let (askers, call) = machine.leave()
          text = "\(askers.map(\.name))\(call == nil ? "" : " cancel")"
        }
        if text != expected {
          Issue.record("\(past + [input]): \(text) instead of \(expected)")
          return
        }
        extend(machine, oracle, past + [input], depth - 1)
      }
    }
    extend(ExitQuestionMachine(), Oracle(), [], 8)
    #expect(count > 5_000)
  }
}
