import CustomDump
import Testing

@testable import LifecycleSources

@Suite("Background fetch: what a scheduler is told, the machine")
struct FetchSubmissionMachineTests {
  enum Input: Hashable, CaseIterable, Sendable {
    case set10, set20, setNever, launch
    /// The thread that acts asks for more.
    case next
  }

  @Test("Every sequence up to length 7: one thread acts at a time, and the last word counts")
  func everySequence() {
    var failures: [[Input]] = []
    var count = 0

    /// - Parameters:
    ///   - open: The position of the first input that has not been acted upon.
    ///   - isActing: Whether a thread acts, which is so from an input until there is nothing left.
    func follow(
      _ past: [Input],
      _ machine: FetchSubmissionMachine,
      open: Int,
      isActing: Bool
    ) {
      guard past.count < 7, failures.isEmpty else { return }
      for input in Input.allCases {
        var machine = machine
        let sequence = past + [input]
        count += 1
        guard input == .next else {
          let acts =
            switch input {
            case .set10: machine.setInterval(.seconds(10))
            case .set20: machine.setInterval(.seconds(20))
            case .setNever: machine.setInterval(nil)
            default: machine.launch()
            }
          let matters = action(sequence[...], since: past.count) != nil
          if acts != (matters && !isActing) { failures.append(sequence) }
          follow(sequence, machine, open: open, isActing: isActing || matters)
          continue
        }
        // Nobody asks that was not told to act.
        guard isActing else { continue }
        let expected = action(past[...], since: open)
        if machine.next() != expected { failures.append(sequence) }
        follow(sequence, machine, open: sequence.count, isActing: expected != nil)
      }
    }

    follow([], FetchSubmissionMachine(), open: 0, isActing: false)
    expectNoDifference(failures, [])
    #expect(count > 10000)
  }

  /// What the last input that matters asks for, among those from a position on: a launch submits what
  /// was set last before it, if anything.
  private func action(_ past: ArraySlice<Input>, since: Int) -> FetchSubmissionMachine.Action? {
    for position in past.indices.reversed() where position >= since {
      switch past[position] {
      case .set10: return .submit(after: .seconds(10))
      case .set20: return .submit(after: .seconds(20))
      case .setNever: return .cancel
      case .launch:
        let setting = past[..<position].last { [.set10, .set20, .setNever].contains($0) }
        switch setting {
        case .set10: return .submit(after: .seconds(10))
        case .set20: return .submit(after: .seconds(20))
        default: continue
        }
      case .next: continue
      }
    }
    return nil
  }
}
