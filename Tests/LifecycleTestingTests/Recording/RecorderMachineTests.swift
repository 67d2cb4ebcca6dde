import CustomDump
import LifecycleCombine
import Testing

@testable import LifecycleTesting

@Suite("Recorder: protocol machine")
struct RecorderMachineTests {
  private enum Input: Character, CaseIterable {
    case subscribe = "s"
    case request = "r"
    case requestTwo = "R"
    case requestAll = "u"
    case receive = "v"
    case complete = "c"
  }

  @Test("Every sequence of inputs to length 6 is judged as the protocol says")
  func everySequence() {
    var mismatches: [String] = []
    var judged: [String: Int] = [:]
    func visit(_ machine: RecorderMachine, _ history: [Input]) {
      guard history.count < 6 else { return }
      for input in Input.allCases {
        var next = machine
        let breach =
          switch input {
          case .subscribe: next.subscribe()
          case .request: next.ask(.max(1))
          case .requestTwo: next.ask(.max(2))
          case .requestAll: next.ask(.unlimited)
          case .receive: next.receive()
          case .complete: next.complete()
          }
        let expected = Self.oracle(history, input)
        judged[expected.map { "\($0)" } ?? "legal", default: 0] += 1
        if breach != expected {
          mismatches.append(String((history + [input]).map(\.rawValue)))
        }
        visit(next, history + [input])
      }
    }
    visit(RecorderMachine(), [])
    expectNoDifference(mismatches, [])
    expectNoDifference(judged.count, RecorderMachine.Breach.allCases.count + 1)
    // 6 + 6² + … + 6⁶.
    expectNoDifference(judged.values.reduce(0, +), 55_986)
  }

  /// Judges by looking at the whole history as text.
  private static func oracle(_ history: [Input], _ input: Input) -> RecorderMachine.Breach? {
    let text = String(history.map(\.rawValue))
    let start = text.firstIndex(of: "s")
    let life = start.map { text[$0...] }
    let isComplete = life?.contains("c") ?? false
    switch input {
    case .request, .requestTwo, .requestAll: return nil
    case .subscribe: return start == nil ? nil : .secondSubscription
    case .complete:
      if start == nil { return .completionBeforeSubscription }
      return isComplete ? .secondCompletion : nil
    case .receive:
      guard let life else { return .valueBeforeSubscription }
      if isComplete { return .valueAfterCompletion }
      // Once everything was requested nothing is too much.
      if text.contains("u") { return nil }
      var credit = text[..<life.startIndex].reduce(0) { $0 + max(0, worth($1)) }
      for input in life { credit = max(0, credit + worth(input)) }
      return credit > 0 ? nil : .unrequestedValue
    }
  }

  private static func worth(_ input: Character) -> Int {
    switch input {
    case "r": 1
    case "R": 2
    case "v": -1
    default: 0
    }
  }

  @Test("What is demanded after requests and values", arguments: [0, 1, 3])
  func demandAfterRequestsAndValues(values: Int) {
    var machine = RecorderMachine()
    machine.request(.max(2))
    _ = machine.subscribe()
    machine.request(.max(1))
    for _ in 0..<values { _ = machine.receive() }
    expectNoDifference(machine.demand, .max(3 - values))
  }

  @Test("A value before the subscription uses nothing up")
  func earlyValue() {
    var machine = RecorderMachine()
    machine.request(.max(1))
    expectNoDifference(machine.receive(), .valueBeforeSubscription)
    _ = machine.subscribe()
    expectNoDifference(machine.receive(), nil)
    expectNoDifference(machine.receive(), .unrequestedValue)
  }
}

extension RecorderMachine {
  fileprivate mutating func ask(_ demand: Subscribers.Demand) -> Breach? {
    request(demand)
    return nil
  }
}
