import CustomDump
import LifecycleSupport
import ReactiveLifecycle
import TestSupport
import Testing

/// A scope's task inherits what one of `Task.init` inherits.
@Suite("G9 Scopes: what tasks inherit")
struct G09ScopeTaskContextTests {
  @TaskLocal private static var request = "none"

  @Test("A task has the task-local values of the call")
  func taskLocalValues() async throws {
    let scope = LifecycleScope()
    let (task, throwing) = Self.$request.withValue("42") {
      (
        scope.task { @concurrent in Self.request },
        scope.task { @concurrent () async throws in Self.request }
      )
    }
    #expect(await task.value == "42")
    #expect(try await throwing.value == "42")
    #expect(await scope.task { @concurrent in Self.request }.value == "none")
  }

  @Test("A task has the caller's priority", arguments: [TaskPriority.low, .high])
  func priority(_ priority: TaskPriority) async {
    let scope = LifecycleScope()
    let inherited = Locked<[TaskPriority?]>([])
    let areDone = AsyncGate()
    let note: @Sendable () -> Void = {
      let count = inherited.withLock { list in
        list.append(Task.basePriority)
        return list.count
      }
      if count == 2 { areDone.open() }
    }
    // Nobody awaits the tasks, which would raise their priority.
    Task.detached(priority: priority) {
      scope.task { @concurrent in note() }
      _ = scope.task { @concurrent () async throws in note() }
    }
    await areDone.opened()
    expectNoDifference(inherited.withLock { $0 }, [priority, priority])
  }
}
