import CustomDump
import LifecycleBackgroundWork
import ReactiveLifecycle
import Testing

@testable import LifecycleTesting

/// Every sequence of inputs, against a ledger that remembers nothing but the sequence.
@Suite("Ledger of background tasks")
struct BackgroundTaskLedgerTests {
  private enum Input: CaseIterable {
    case begin, endFirst, endSecond, expireFirst, expireSecond, loseFirst, loseSecond
  }

  @Test("Every sequence up to a length of 5: each task ends once, and no handler comes after that")
  func everySequenceUpToFive() {
    var count = 0
    func extend(_ inputs: [Input]) {
      count += 1
      expectNoDifference(Self.run(inputs), Self.expected(inputs))
      guard inputs.count < 5 else { return }
      for input in Input.allCases { extend(inputs + [input]) }
    }
    extend([])
    expectNoDifference(count, 19_608)
  }

  private static func run(_ inputs: [Input]) -> [String] {
    var ledger = BackgroundTaskLedger()
    var begun = 0
    let (first, second) = (BackgroundTaskID(rawValue: 1), BackgroundTaskID(rawValue: 2))
    func end(_ id: BackgroundTaskID) -> String {
      do throws(BackgroundTaskLedger.Misuse) {
        return try ledger.end(id) ?? "too late"
      } catch {
        return "\(error)"
      }
    }
    var lines = inputs.map { input -> String in
      switch input {
      case .begin:
        begun += 1
        return "\(ledger.begin("\(begun)").rawValue)"
      case .endFirst: return end(first)
      case .endSecond: return end(second)
      case .expireFirst: return begun < 1 ? "-" : ledger.expire(first) ?? "-"
      case .expireSecond: return begun < 2 ? "-" : ledger.expire(second) ?? "-"
      case .loseFirst: return begun < 1 ? "-" : "\(ledger.lose(first))"
      case .loseSecond: return begun < 2 ? "-" : "\(ledger.lose(second))"
      }
    }
    lines.append(ledger.running.map { "\($0.id.rawValue)\($0.name)" }.joined())
    return lines
  }

  /// Each line by itself, from all that came before it.
  private static func expected(_ inputs: [Input]) -> [String] {
    func number(_ input: Input) -> Int {
      switch input {
      case .endFirst, .expireFirst, .loseFirst: 1
      default: 2
      }
    }
    func past(_ end: Int, _ task: Int) -> [Input] {
      // What came since the task was begun; nothing if it was not.
      var begun = 0
      return Array(
        inputs.prefix(end).drop {
          if $0 == .begin { begun += 1 }
          return begun < task
        }
      ).filter { $0 != .begin || task == 0 }
    }
    func isBegun(_ end: Int, _ task: Int) -> Bool {
      inputs.prefix(end).count { $0 == .begin } >= task
    }
    func final(_ end: Int, _ task: Int) -> Input? {
      past(end, task).first {
        number($0) == task && [.endFirst, .endSecond, .loseFirst, .loseSecond].contains($0)
      }
    }
    func isLost(_ input: Input?) -> Bool { input == .loseFirst || input == .loseSecond }
    var lines = inputs.indices.map { index -> String in
      let input = inputs[index]
      let task = number(input)
      switch input {
      case .begin: return "\(inputs.prefix(index + 1).count { $0 == .begin })"
      case .endFirst, .endSecond:
        guard isBegun(index, task) else { return "neverBegun" }
        guard let final = final(index, task) else { return "\(task)" }
        return isLost(final) ? "too late" : "endedTwice(name: \"\(task)\")"
      case .expireFirst, .expireSecond:
        let isFirst = !past(index, task).contains(input)
        return isBegun(index, task) && isFirst && final(index, task) == nil ? "\(task)" : "-"
      case .loseFirst, .loseSecond:
        guard isBegun(index, task) else { return "-" }
        return "\(final(index, task) == nil)"
      }
    }
    let begun = inputs.count { $0 == .begin }
    let running = begun == 0 ? [] : (1...begun).filter { final(inputs.count, $0) == nil }
    lines.append(running.map { "\($0)\($0)" }.joined())
    return lines
  }
}
