import Testing

@testable import ReactiveLifecycle

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

  /// How the fetch ends, and after how many inputs; nil if it goes on.
  private func end(
    _ inputs: [Input],
    _ handlers: Int
  ) -> (count: Int, completion: BackgroundFetchMachine.Completion)? {
    func first(_ handler: Int, in inputs: ArraySlice<Input>) -> Input? {
      inputs.first { input in
        switch input {
        case .answer(handler, _), .remove(handler): true
        default: false
        }
      }
    }
    for count in 0...inputs.count {
      let past = inputs.prefix(count)
      let firsts = (0..<handlers).map { first($0, in: past) }
      let isOver = past.contains(.expire)
      guard isOver || !firsts.contains(nil) else { continue }
      let results = firsts.compactMap { input -> BackgroundFetchResult? in
        if case .answer(_, let result) = input { result } else { nil }
      }
      let stragglers = (0..<handlers).filter { firsts[$0] == nil }
      let hasFailed = results.contains(.failed) || !stragglers.isEmpty
      let result: BackgroundFetchResult =
        results.contains(.newData) ? .newData : hasFailed ? .failed : .noData
      return (count, .init(result: result, stragglers: stragglers))
    }
    return nil
  }

  private func verdict(
    _ handler: Int,
    after past: [Input],
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

    func follow(_ past: [Input], _ machine: BackgroundFetchMachine, _ completions: Int) {
      guard past.count < length, failures == 0 else { return }
      for input in inputs {
        var machine = machine
        let sequence = past + [input]
        var completion: BackgroundFetchMachine.Completion?
        // Once complete, an answer of a handler that was heard first after that is late.
        let before = end(past, handlers)
        let heard = before.map { Array(past.prefix($0.count)) } ?? past
        switch input {
        case .answer(let handler, let result):
          let (verdict, done) = machine.answer(handler, result)
          completion = done
          let expected = self.verdict(handler, after: heard, isOver: before != nil)
          if verdict != expected { failures += 1 }
        case .remove(let handler): completion = machine.remove(handler).completion
        case .expire: completion = machine.expire()
        }
        count += 1
        let after = end(sequence, handlers)
        let expected = before == nil ? after?.completion : nil
        if completion != expected || machine.isComplete != (after != nil) {
          failures += 1
          Issue.record(
            "\(sequence): \(String(describing: completion)), not \(String(describing: expected))"
          )
        }
        follow(sequence, machine, completions + (completion == nil ? 0 : 1))
      }
    }

    var machine = BackgroundFetchMachine(handlers: handlers)
    let begun = machine.begin()
    #expect(begun == (handlers == 0 ? .init(result: .noData) : nil))
    follow([], machine, begun == nil ? 0 : 1)
    #expect(failures == 0)
    #expect(count >= 6)
  }
}
