import LifecycleBackgroundWork
import LifecycleSupport
import ReactiveLifecycle

/// The records of an ``InMemoryBackgroundFetchHost``.
///
/// The fetches hold the log rather than the host, as the host holds the handler, which may hold the
/// fetches.
final class FetchLog: Sendable {
  private struct Running: Sendable {
    weak let fetch: InMemoryFetch?
    weak let request: BackgroundFetchRequest?
  }

  private struct State {
    var operations: [InMemoryBackgroundFetchHost.Operation] = []
    var lastNumber = 0
    var running: [Int: Running] = [:]
  }

  let failures = TestFailures()
  private let state = Locked(State())

  var operations: [InMemoryBackgroundFetchHost.Operation] {
    failures.flush()
    return state.withLock { $0.operations }
  }

  func append(_ operation: InMemoryBackgroundFetchHost.Operation) {
    state.withLock { state in
      state.operations.append(operation)
      if case .completed(let number, _) = operation { state.running[number] = nil }
    }
  }

  func flush() { failures.flush() }

  func nextNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  func begin(_ fetch: InMemoryFetch, _ request: BackgroundFetchRequest) {
    state.withLock { state in
      state.operations.append(.began(fetch.number))
      state.running[fetch.number] = Running(fetch: fetch, request: request)
    }
  }

  /// The fetches that are not complete, from the oldest to the newest.
  var runningFetches: [InMemoryFetch] {
    // Read under the lock: the thread sanitizer takes a dictionary that leaves it for a race.
    state.withLock { $0.running.sorted { $0.key < $1.key } }.compactMap(\.value.fetch)
  }

  /// Expires the request of a fetch, once.
  func expire(_ fetch: InMemoryFetch) {
    let running = state.withLock { state -> Running? in
      guard let running = state.running.removeValue(forKey: fetch.number) else { return nil }
      state.operations.append(.expired(fetch.number))
      return running
    }
    running?.request?.expire()
  }
}
