import CustomDump
import TestSupport
import Testing

@testable import ReactiveLifecycle

@Suite("Scopes: the machine of what is cancelled")
struct CancellationMachineTests {
  enum Input: String, CaseIterable, Sendable { case start, end, finish }

  /// Returns the task that an input hands out, from the whole past: the first end before the finish
  /// cancels the task, as soon as it is known.
  private func expected(_ input: Input, after past: [Input]) -> String? {
    let isKnown = past.contains(.start)
    let isCancelled = past.contains(.end)
    if past.contains(.finish) { return nil }
    return switch input {
    case .start: isCancelled ? "task" : nil
    case .end: isKnown && !isCancelled ? "task" : nil
    case .finish: isKnown && !isCancelled ? "task" : nil
    }
  }

  @Test("Every sequence of inputs does what the rules say")
  func everySequence() {
    var count = 0
    func extend(_ machine: CancellationMachine<String>, _ past: [Input], _ depth: Int) {
      count += 1
      let endsFirst = past.first { $0 != .start } == .end
      expectNoDifference(machine.isCancelled, endsFirst && !past.contains(.finish), "\(past)")
      guard depth > 0 else { return }
      // A task is started once.
      for input in Input.allCases where input != .start || !past.contains(.start) {
        var machine = machine
        let result =
          switch input {
          case .start: machine.start("task")
          case .end: machine.end()
          case .finish: machine.finish()
          }
        expectNoDifference(result, expected(input, after: past), "\(past), then \(input)")
        extend(machine, past + [input], depth - 1)
      }
    }
    extend(CancellationMachine(), [], 6)
    #expect(count > 100)
  }
}
