import Foundation
import LifecycleSupport
import ReactiveLifecycle

/// The turns of the tests that start processes, first come, first served.
final class ProcessTurns: Sendable {
  private struct State {
    var planned = 0
    var isAnnounced = false
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
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

  func begin() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func end() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }

  /// Says how long the run takes, the first time.
  func announce() {
    let planned = state.withLock { state -> Int? in
      defer { state.isAnnounced = true }
      return state.isAnnounced ? nil : state.planned
    }
    guard let planned else { return }
    let text = """

      The whole suite takes about 90 s on two idle cores, longer on a busy machine. Tests in this run that \
      start processes: \(planned), at most \(count) at the same time.

      """
    FileHandle.standardError.write(Data(text.utf8))
  }
}
