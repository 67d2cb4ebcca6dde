import Foundation
import LifecycleCore
import LifecycleSupport

/// The turns of the tests that start processes, first come, first served.
final class ProcessTurns: Sendable {
  private struct State {
    var planned = 0
    var isAnnounced = false
    var free: Int
    var waiting: [(turns: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Takes out those whose turn it is. One that waits for all turns is not overtaken.
    mutating func next() -> [CheckedContinuation<Void, Never>] {
      var next: [CheckedContinuation<Void, Never>] = []
      while let first = waiting.first, first.turns <= free {
        free -= first.turns
        next.append(waiting.removeFirst().continuation)
      }
      return next
    }
  }

  /// Most of these tests wait most of the time.
  static let shared = ProcessTurns(count: 2 * ProcessInfo.processInfo.activeProcessorCount)

  @TaskLocal static var isInTurn = false

  private let count: Int
  private let state: Locked<State>

  init(count: Int) {
    self.count = count
    state = Locked(State(free: count))
  }

  /// Counts a test of the run, before any of them begins.
  func plan() {
    state.withLock { $0.planned += 1 }
  }

  /// Waits for a turn, or for all turns if no other test may have one meanwhile.
  func begin(alone: Bool = false) async {
    await withCheckedContinuation { continuation in
      let next = state.withLock { state in
        state.waiting.append((alone ? count : 1, continuation))
        return state.next()
      }
      for continuation in next { continuation.resume() }
    }
  }

  func end(alone: Bool = false) {
    let next = state.withLock { state in
      state.free += alone ? count : 1
      return state.next()
    }
    for continuation in next { continuation.resume() }
  }

  /// Says how long the run takes, the first time.
  func announce() {
    let planned = state.withLock { state -> Int? in
      defer { state.isAnnounced = true }
      return state.isAnnounced ? nil : state.planned
    }
    guard let planned else { return }
    let text = """

      The whole suite takes two to five minutes on two idle cores. Tests in this run that start \
      processes: \(planned), at most \(count) at the same time.

      """
    FileHandle.standardError.write(Data(text.utf8))
  }
}
