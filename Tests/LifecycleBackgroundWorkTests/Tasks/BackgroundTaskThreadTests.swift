import CustomDump
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleSupport
import TestSupport
import Testing

@Suite("Background tasks: threads")
struct BackgroundTaskThreadTests {
  /// Notes what it has granted and got back; time is up whenever a test says so.
  private final class CountingHost: BackgroundTaskHost {
    private struct State {
      var last = 0
      var open: [Int: @MainActor @Sendable () -> Void] = [:]
      var endedTwice = 0
    }

    private let state = Locked(State())

    var open: Int { state.withLock { $0.open.count } }
    var endedTwice: Int { state.withLock { $0.endedTwice } }

    func beginTask(
      named name: String,
      onExpiration: @escaping @MainActor @Sendable () -> Void
    ) -> BackgroundTaskID? {
      state.withLock { state in
        state.last += 1
        // Some are refused.
        guard !state.last.isMultiple(of: 7) else { return nil }
        state.open[state.last] = onExpiration
        return BackgroundTaskID(rawValue: state.last)
      }
    }

    func endTask(_ task: BackgroundTaskID) {
      let unwanted = state.withLock { state in
        let handler = state.open.removeValue(forKey: task.rawValue)
        if handler == nil { state.endedTwice += 1 }
        return handler
      }
      withExtendedLifetime(unwanted) {}
    }

    @MainActor var remainingTime: Duration? { nil }

    /// Says that time is up, also to one who does not know the task's number yet.
    @MainActor func expire() {
      for handler in state.withLock({ $0.open.values.map { $0 } }) { handler() }
    }
  }

  @Test("With four threads and expirations, each task ends once, and each grant is given back once")
  func beginEndAndExpiryRace() async {
    let host = CountingHost()
    let tasks = BackgroundTaskCoordinator(host: host)
    let scope = LifecycleScope("screen")
    let handlers = Collector<String>()
    let threads = 4
    let rounds = 300
    let ended = Collector<(name: String, isExpired: Bool, isOpen: Bool)>()
    let expiring = Task {
      for _ in 0..<rounds {
        await MainActor.run { host.expire() }
      }
    }
    await awaitOtherThreads(threads) { thread in
      for round in 0..<rounds {
        let name = "\(thread) \(round)"
        let note: @MainActor @Sendable () -> Void = { handlers(name) }
        let task =
          round.isMultiple(of: 2)
          ? tasks.beginTask(named: name, onExpiration: note)
          : tasks.beginTask(named: name, in: scope, onExpiration: note)
        if round.isMultiple(of: 3) { _ = tasks.grantedTasks }
        // Whether it has expired by now is up to the others.
        _ = (task.isEnded, task.isGranted)
        task.end()
        ended((name, task.isExpired, !task.isEnded || task.isGranted))
      }
    }
    await expiring.value
    expectNoDifference(ended.values.count, threads * rounds)
    #expect(!ended.values.contains { $0.isOpen })
    expectNoDifference(host.endedTwice, 0)
    expectNoDifference(host.open, 0)
    expectNoDifference(tasks.grantedTasks, [])
    let called = handlers.values
    expectNoDifference(Set(called).count, called.count, "each once")
    expectNoDifference(Set(called), Set(ended.values.filter(\.isExpired).map(\.name)))
    let last = tasks.beginTask(named: "last")
    let again = tasks.beginTask(named: "again")
    #expect(last.isGranted || again.isGranted, "it is not stuck")
    last.end()
    again.end()
    expectNoDifference(host.open, 0)
    withExtendedLifetime(scope) {}
  }

  @Test("Scopes that end while tasks begin on another thread leave no grant")
  func scopesEndingWhileTasksBeginLeaveNothing() async {
    let host = CountingHost()
    let tasks = BackgroundTaskCoordinator(host: host)
    for _ in 0..<50 {
      let scope = LifecycleScope("screen")
      await awaitOtherThreads(2) { thread in
        guard thread == 0 else { return scope.end() }
        for _ in 0..<10 where !scope.isEnded {
          // One that is begun in a scope that has just ended is reported, which this is not about.
          _ = reportedIssues {
            tasks.beginTask(named: "upload", in: scope).end()
            tasks.beginTask(named: "upload", in: scope)
          }
        }
      }
      scope.end()
      #expect(tasks.grantedTasks == [])
    }
    expectNoDifference(host.open, 0)
    expectNoDifference(host.endedTwice, 0)
  }
}
