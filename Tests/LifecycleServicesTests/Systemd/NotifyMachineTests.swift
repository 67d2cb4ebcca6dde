#if Services
  import CustomDump
  import LifecycleCore
  import Testing

  @testable import LifecycleServices

  @Suite("NotifyMachine")
  struct NotifyMachineTests {
    static let inputs: [NotifyMachine.Input] = [
      .phase(.background), .phase(.active), .ready, .reload(at: 7), .reloaded, .end(signal: nil),
      .status("text"),
    ]

    @Test(
      "The messages of every sequence of up to six inputs keep the protocol's rules",
      arguments: [LifecyclePhase.Condition?.none, .atLeast(.active)]
    )
    func everySequence(condition: LifecyclePhase.Condition?) {
      var (count, violations) = (0, [String]())
      func extend(_ machine: NotifyMachine, _ rules: NotifyRules, _ depth: Int) {
        for input in Self.inputs {
          var (machine, rules) = (machine, rules)
          let fields = machine.handle(input)
          let violation = rules.violation(of: fields, after: input)
          count += 1
          if let violation {
            violations.append(violation)
          } else if depth > 1 {
            extend(machine, rules, depth - 1)
          }
        }
      }
      extend(NotifyMachine(readyWhen: condition), NotifyRules(condition: condition), 6)
      expectNoDifference(violations.prefix(3), [])
      #expect(count == (1...6).reduce(0) { sum, length in sum + Self.power(length) })
    }

    private static func power(_ exponent: Int) -> Int {
      (0..<exponent).reduce(1) { product, _ in product * inputs.count }
    }

    @Test("A status is one line, and the signal of the end is named")
    func texts() {
      var machine = NotifyMachine(readyWhen: nil)
      expectNoDifference(machine.handle(.status("one\ntwo\r\nREADY=1")), ["STATUS=one two READY=1"])
      expectNoDifference(
        machine.handle(.end(signal: "SIGTERM")),
        ["STOPPING=1", "STATUS=Stopping after SIGTERM"]
      )
    }
  }

  /// What the service manager may receive when, as a second description of the same rules.
  private struct NotifyRules {
    let condition: LifecyclePhase.Condition?
    var isReady = false
    var reloads = 0
    var isStopping = false

    init(condition: LifecyclePhase.Condition?) {
      self.condition = condition
    }

    mutating func violation(of fields: [String], after input: NotifyMachine.Input) -> String? {
      let expected = expected(after: input)
      return fields == expected ? nil : "\(input): \(fields) instead of \(expected)"
    }

    private mutating func expected(after input: NotifyMachine.Input) -> [String] {
      if case .status(let text) = input { return ["STATUS=\(text)"] }
      if isStopping { return [] }
      switch input {
      case .phase(let phase):
        guard !isReady, let condition, condition.contains(phase) else { return [] }
        isReady = true
        return ["READY=1"]
      case .ready:
        defer { isReady = true }
        return isReady ? [] : ["READY=1"]
      case .reload(let time):
        guard isReady else { return [] }
        reloads += 1
        return ["RELOADING=1", "MONOTONIC_USEC=\(time)"]
      case .reloaded:
        guard reloads > 0 else { return [] }
        reloads -= 1
        return reloads == 0 ? ["READY=1"] : []
      case .end:
        isStopping = true
        return ["STOPPING=1", "STATUS=Stopping"]
      case .status:
        return []
      }
    }
  }
#endif
