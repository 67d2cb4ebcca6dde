import Foundation
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Many threads at once, which the thread sanitizer watches, too.
@Suite("Background fetch: threads")
struct BackgroundFetchThreadTests {
  private func onThreads(_ body: @escaping @Sendable (_ thread: Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 { group.addTask { await awaitOtherThread { body(thread) } } }
    }
  }

  @Test("Answers, deadlines, removals and the end at once: each fetch is told of exactly once")
  func everythingAtOnce() async {
    for round in 0..<50 {
      let stage = BackgroundFetchStage(.nonisolated)
      let registrations = ["a", "b", "c", "d"].map { stage.add($0) }
      let told = Collector<Int>()
      let run = stage.fetches.core.makeRun()
      run.whenConcluded { told($0.number) }
      stage.fetches.core.begin(run, deadline: .seconds(30))
      stage.clock.advance(by: .zero)
      await onThreads { thread in
        switch (thread, round % 4) {
        case (0, 0): stage.clock.advance(by: .seconds(60))
        case (0, 1): run.expire()
        case (0, 2): stage.bus.send(.willTerminate)
        case (0, _): stage.releaseCoordinator()
        case (1, _): registrations[1].cancel()
        case (2, _): stage.answer("c", .failed(FetchTrouble()))
        default:
          stage.answer("a", .failed(FetchTrouble()))
          stage.answer("d", .failed(FetchTrouble()))
        }
      }
      // A nonisolated bus has delivered when all who could have are done.
      #expect(told.values == [1])
      stage.dropCompletions()
    }
  }

  @Test("Fetches from several threads, with real handlers, are numbered and complete")
  func manyFetches() async {
    let bus = NonisolatedLifecycleBus()
    let fetches = BackgroundFetchCoordinator(of: bus)
    let scope = LifecycleScope()
    for name in ["a", "b"] {
      fetches.addHandler(named: name, in: scope) {
        await Task.yield()
        return .newData
      }
    }
    let numbers = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<100 {
        group.addTask { await fetches.performFetch(deadline: .seconds(600)).number }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(numbers.sorted() == Array(1...100))
    withExtendedLifetime((bus, scope)) {}
  }
}
