import Testing

@testable import ReactiveLifecycle

@Suite("Concurrency: the arrival machine")
struct ArrivalMachineTests {
  enum Input: String, CaseIterable, Sendable { case arrive, settle, abandon, wait }

  /// What the last input of a sequence makes happen: whichever of `arrive` and `abandon` comes
  /// first decides; who waits is told once there is an outcome.
  private func expected(_ inputs: [Input]) -> String {
    let first = inputs.first { $0 == .arrive || $0 == .abandon }
    let last = inputs.last!
    let past = inputs.dropLast()
    let outcome: String? =
      switch first {
      case .abandon?: "abandoned"
      case .arrive?:
        inputs.drop { $0 != .arrive }.contains(.settle) ? "settled" : nil
      default: nil
      }
    let isNewest = inputs.count { $0 == last } == 1
    let told = past.contains(.wait) ? "tell" : "nothing"
    switch last {
    case .arrive: return isNewest && first == .arrive ? "work" : "no work"
    case .abandon: return isNewest && first == .abandon ? told : "nothing"
    case .settle:
      let isFirst = !past.drop { $0 != .arrive }.contains(.settle)
      return first == .arrive && past.contains(.arrive) && isFirst ? told : "nothing"
    case .wait: return outcome ?? "waits"
    }
  }

  @Test("Every sequence of inputs does what the rules say")
  func everySequence() {
    var count = 0
    func extend(_ machine: ArrivalMachine<String, String>, _ past: [Input]) {
      count += 1
      guard past.count < 6 else { return }
      // One task waits once.
      for input in Input.allCases where input != .wait || !past.contains(.wait) {
        var machine = machine
        let text =
          switch input {
          case .arrive: machine.arrive() ? "work" : "no work"
          case .settle: machine.settle("settled") ?? "nothing"
          case .abandon: machine.abandon("abandoned") ?? "nothing"
          case .wait: machine.wait("tell") ?? "waits"
          }
        let expected = expected(past + [input])
        if text != expected {
          Issue.record("\(past + [input]): \(text) instead of \(expected)")
          return
        }
        extend(machine, past + [input])
      }
    }
    extend(ArrivalMachine(), [])
    #expect(count > 1_000)
  }
}
