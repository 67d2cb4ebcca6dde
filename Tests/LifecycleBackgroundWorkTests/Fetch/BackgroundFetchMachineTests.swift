import CustomDump
import ReactiveLifecycle
import Testing

@testable import LifecycleBackgroundWork

/// Every sequence of inputs against an oracle that looks at the whole sequence at once.
@Suite("Background fetch: the machine")
struct BackgroundFetchMachineTests {
  enum Input: Hashable, Sendable {
    case answer(Int, BackgroundFetchResult)
    case remove(Int)
    case expire

    static func all(_ handlers: Int) -> [Input] {
      (0..<handlers).flatMap { handler in
        BackgroundFetchResult.allCases.map { Input.answer(handler, $0) } + [.remove(handler)]
      } + [.expire]
    }
  }

  /// How the fetch ends with the last of the inputs; nil if it goes on.
  private func end(_ inputs: [Input], _ handlers: Int) -> BackgroundFetchMachine.Completion? {
    let firsts = (0..<handlers).map { handler in
      inputs.first { input in
        switch input {
        case .answer(handler, _), .remove(handler): true
        default: false
        }
      }
    }
    guard inputs.last == .expire || !firsts.contains(nil) else { return nil }
    let results = firsts.compactMap { input -> BackgroundFetchResult? in
      if case .answer(_, let result) = input { result } else { nil }
    }
    let stragglers = (0..<handlers).filter { firsts[$0] == nil }
    let hasFailed = results.contains(.failed) || !stragglers.isEmpty
    let result: BackgroundFetchResult =
      results.contains(.newData) ? .newData : hasFailed ? .failed : .noData
    return .init(result: result, stragglers: stragglers)
  }

  private func verdict(
    _ handler: Int,
    after past: ArraySlice<Input>,
    isOver: Bool
  ) -> BackgroundFetchMachine.Verdict {
    for input in past {
      switch input {
      case .answer(handler, _): return .repeated
      case .remove(handler): return .removed
      default: continue
      }
    }
    return isOver ? .late : .accepted
  }

  @Test(
    "Every sequence up to length 6 completes the fetch exactly once, with the right result",
    arguments: [(0, 6), (1, 6), (2, 6), (3, 4)]
  )
  func everySequence(_ handlers: Int, _ length: Int) {
    let inputs = Input.all(handlers)
    var failures = 0
    var count = 0

    /// - Parameter ended: How many of the inputs it took to end the fetch.
    func follow(_ past: [Input], _ machine: BackgroundFetchMachine, ended: Int?) {
      guard past.count < length, failures == 0 else { return }
      for input in inputs {
        var machine = machine
        let sequence = past + [input]
        var completion: BackgroundFetchMachine.Completion?
        switch input {
        case .answer(let handler, let result):
          let (verdict, done) = machine.answer(handler, result)
          completion = done
          // Who was not heard before the end is late.
          let heard = ended.map { past.prefix($0) } ?? past[...]
          if verdict != self.verdict(handler, after: heard, isOver: ended != nil) { failures += 1 }
        case .remove(let handler): completion = machine.remove(handler).completion
        case .expire: completion = machine.expire()
        }
        count += 1
        let expected = ended == nil ? end(sequence, handlers) : nil
        let isEnded = ended != nil || expected != nil
        if completion != expected || machine.isComplete != isEnded { failures += 1 }
        if failures > 0 {
          Issue.record("\(sequence): \(String(describing: completion))")
          return
        }
        follow(sequence, machine, ended: ended ?? (isEnded ? sequence.count : nil))
      }
    }

    var machine = BackgroundFetchMachine(handlers: handlers)
    let begun = machine.begin()
    expectNoDifference(begun, handlers == 0 ? .init(result: .noData) : nil)
    follow([], machine, ended: begun == nil ? nil : 0)
    expectNoDifference(failures, 0)
    #expect(count >= 6)
  }
}
