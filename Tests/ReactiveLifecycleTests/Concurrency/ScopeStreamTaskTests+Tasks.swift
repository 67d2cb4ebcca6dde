import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

extension ScopeStreamTaskTests {
  @Test("Name and priority are those that were asked for")
  func nameAndPriority() async throws {
    let bus = LifecycleBus(clock: ManualClock())
    let scope = LifecycleScope()
    let task = scope.task(for: bus.events, name: "indexer") { _ in
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return true }
      return Task.name == "indexer"
    }
    let throwing = scope.task(for: bus.events, name: "indexer") { _ async throws in
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return true }
      return Task.name == "indexer"
    }
    #expect(await task.value)
    #expect(try await throwing.value)
    #expect(await priorities(.low, ofCaller: .high) == [.low, .low])
  }

  @Test("A task has the caller's priority", arguments: [TaskPriority.low, .high])
  func priority(_ priority: TaskPriority) async {
    #expect(await priorities(nil, ofCaller: priority) == [priority, priority])
  }

  /// The priorities of tasks, of both kinds, that a caller with a priority starts.
  private func priorities(
    _ priority: TaskPriority?,
    ofCaller caller: TaskPriority
  ) async -> [TaskPriority?] {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let scope = LifecycleScope()
    let priorities = Collector<TaskPriority?>()
    let areDone = AsyncGate()
    let note: @Sendable () -> Void = {
      priorities(Task.basePriority)
      if priorities.values.count == 2 { areDone.open() }
    }
    // Nobody awaits the tasks, which would raise their priority.
    Task.detached(priority: caller) {
      scope.task(for: bus.events, priority: priority) { _ in note() }
      _ = scope.task(for: bus.events, priority: priority) { _ async throws in note() }
    }
    await areDone.opened()
    return priorities.values
  }

  @Test("Ended on one thread while it starts on another, it is cancelled and receives nothing")
  func endedMeanwhile() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    for _ in 1...200 {
      let scope = LifecycleScope()
      async let hasEnded: Void = awaitOtherThread { scope.end() }
      // If the end came first, that is reported.
      _ = await reportedIssues {
        let task = scope.task(for: bus.events) { events in
          for await _ in events { Issue.record("Nothing was sent") }
          return Task.isCancelled
        }
        #expect(await task.value)
      }
      await hasEnded
    }
    while !bus.liveSubscriptions.isEmpty { await Task.yield() }
  }
}
