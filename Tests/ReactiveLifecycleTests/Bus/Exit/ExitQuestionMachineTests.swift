import Testing

@testable import ReactiveLifecycle

@Suite("Exit requests: the machine of an observer's calls")
struct ExitQuestionMachineTests {
  enum Input: CaseIterable {
    case ask, didBegin, lateBegin, didReturn, dismissFirst, dismissLast, leave
  }

  /// What should happen, told by facts that no input but the obvious one changes.
  private struct Oracle {
    var askers: [Int] = []
    var lastAsker = 0
    var callCount = 0
    var isCalling = false
    /// Nobody waits for the call.
    var isAbandoned = false
    /// The shell has told the machine which call it is.
    var isKnown = false
    var hasLeft = false

    mutating func handle(_ input: Input) -> String {
      switch input {
      case .ask:
        lastAsker += 1
        guard !hasLeft else { return "left" }
        askers.append(lastAsker)
        return isCalling ? "wait" : begin()
      case .didBegin:
        isKnown = true
        return isCalling && !isAbandoned ? "" : callCount > 0 && isCalling ? "cancel" : ""
      case .lateBegin: return ""
      case .didReturn:
        isCalling = false
        guard !hasLeft else { return "" }
        guard isAbandoned else {
          defer { askers = [] }
          return "answer \(askers)"
        }
        return askers.first.map { "\(begin()) for \($0)" } ?? ""
      case .dismissFirst, .dismissLast:
        guard !askers.isEmpty else { return "" }
        if input == .dismissFirst { askers.removeFirst() } else { askers.removeLast() }
        guard askers.isEmpty, isCalling, !isAbandoned else { return "" }
        isAbandoned = true
        return isKnown ? "cancel" : ""
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
    case .leave: !oracle.hasLeft
    }
  }

  @Test("Every sequence of inputs does what the rules say, and there are never two calls")
  func everySequence() {
    var count = 0
    func extend(
      _ machine: ExitQuestionMachine<Int, Int>,
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
          switch machine.ask(before.lastAsker + 1) {
          case .call(let number): text = "call \(number)"
          case .wait: text = "wait"
          case .left: text = "left"
          }
        case .didBegin:
          text = machine.didBegin(before.callCount, number: before.callCount) == nil ? "" : "cancel"
        case .lateBegin:
          let number = before.isCalling ? before.callCount - 1 : before.callCount
          let mayCancel = before.hasLeft && number == before.callCount
          let call = machine.didBegin(number, number: number)
          text = call == nil || mayCancel ? "" : "cancel"
        case .didReturn:
          switch machine.callDidReturn() {
          case .answer(let askers): text = "answer \(askers)"
          case .callAgain(let number, let asker): text = "call \(number) for \(asker)"
          case .none: text = ""
          }
        case .dismissFirst, .dismissLast:
          let asker = input == .dismissFirst ? before.askers.first : before.askers.last
          text = machine.dismiss { $0 == asker } == nil ? "" : "cancel"
        case .leave:
          let (askers, call) = machine.leave()
          text = "\(askers)\(call == nil ? "" : " cancel")"
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
