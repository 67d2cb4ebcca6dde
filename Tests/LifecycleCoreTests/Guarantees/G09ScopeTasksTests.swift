import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// A task lasts no longer than the scope that holds it, and the scope holds it no longer than it
/// lasts.
@MainActor
@Suite("G9 Scopes: tasks")
struct G09ScopeTasksTests {
  /// A way to put a task into a scope.
  enum Form: String, CaseIterable, Sendable {
    case started, throwing

    @MainActor
    func add(
      to scope: LifecycleScope,
      line: UInt = #line,
      _ body: @escaping @Sendable () async -> Void
    ) -> Task<Void, any Error> {
      switch self {
      case .started:
        let task = scope.task(line: line) { @concurrent in await body() }
        return Task { await task.value }
      case .throwing:
        return scope.task(line: line) { @concurrent () async throws in await body() }
      }
    }
  }

  /// Lasts until the task is cancelled.
  nonisolated private func lastUntilCancelled() async {
    try? await Task.sleep(for: .seconds(3600))
  }

  @Test("The end of the scope cancels a task once, in its turn", arguments: Form.allCases)
  func reverseOrder(_ form: Form) async throws {
    let trace = Trace()
    let scope = LifecycleScope()
    let isRunning = AsyncGate()
    scope.onEnd { trace("first") }
    let task = form.add(to: scope) {
      await withTaskCancellationHandler {
        isRunning.open()
        await lastUntilCancelled()
      } onCancel: {
        // No lock is held.
        onOtherThread { [weak scope] in trace("task, \(scope?.isEnded == true)") }
      }
    }
    scope.onEnd { trace("last") }
    await isRunning.opened()
    scope.end()
    scope.end()
    expectNoDifference(trace.lines, ["last", "task, true", "first"])
    try await task.value
  }

  @Test("A task that has not begun when the scope ends begins cancelled")
  func endedBeforeFirstTurn() async {
    let scope = LifecycleScope()
    let task = scope.task { Task.isCancelled }
    scope.end()
    #expect(await task.value)
  }

  @Test("A task of an ended scope begins cancelled, and is reported at the caller's line")
  func addingToEndedScope() async throws {
    let scope = LifecycleScope("screen")
    scope.end()
    var isCancelled: [Bool] = []
    let issues = try await reportedIssues {
      isCancelled.append(await scope.task(line: 11) { Task.isCancelled }.value)
      isCancelled.append(await scope.task(line: 12) { @concurrent in Task.isCancelled }.value)
      let throwing = scope.task(line: 13) { () async throws in Task.isCancelled }
      isCancelled.append(try await throwing.value)
    }
    expectNoDifference(isCancelled, [true, true, true])
    expectNoDifference(
      issues,
      [11, 12, 13].map {
        ReportedIssue(
          """
          The scope "screen" has already ended, so the member that was added to it was cancelled \
          immediately. Create a new scope for each appearance.
          """,
          line: $0
        )
      }
    )
  }

  @Test("A concurrent task of an ended scope begins cancelled even if it begins at once")
  func beginsCancelled() async {
    let scope = LifecycleScope()
    scope.end()
    var count = 0
    _ = await reportedIssues {
      for _ in 1...1_000 {
        if await scope.task(operation: { @concurrent in Task.isCancelled }).value { count += 1 }
      }
    }
    expectNoDifference(count, 1_000)
  }

  @Test(
    "A task is cancelled by the release of its scope and by the end of the parent",
    arguments: Form.allCases
  )
  func otherEnds(_ form: Form) async throws {
    var scope: LifecycleScope? = LifecycleScope()
    weak let weakScope = scope
    let first = form.add(to: scope!) { await lastUntilCancelled() }
    scope = nil
    #expect(weakScope == nil)
    try await first.value
    let parent = LifecycleScope("parent")
    let child = LifecycleScope("child", parent: parent)
    let second = form.add(to: child) { await lastUntilCancelled() }
    parent.end()
    try await second.value
    #expect(child.isEnded)
  }

  @Test(
    "A task that starts while another thread ends its scope is cancelled",
    arguments: Form.allCases
  )
  func endedMeanwhile(_ form: Form) async throws {
    for _ in 1...200 {
      let scope = LifecycleScope()
      async let hasEnded: Void = awaitOtherThread { scope.end() }
      // If the end came first, that is reported.
      _ = try await reportedIssues {
        try await form.add(to: scope) { await lastUntilCancelled() }.value
      }
      await hasEnded
    }
  }

  private struct Failure: Error {}

  @Test("A task that returned or threw has left its scope")
  func finishedTaskLeaves() async {
    let scope = LifecycleScope()
    let last = LifecycleScope("last", parent: scope)
    #expect(await scope.task { 5 }.value == 5)
    let throwing = scope.task { throw Failure() }
    await #expect(throws: Failure.self) { try await throwing.value }
    expectNoDifference(scope.core.entryCount, 1)
    // Its end is no cancellation.
    let finished = scope.task {}
    await finished.value
    scope.end()
    #expect(!finished.isCancelled)
    withExtendedLifetime(last) {}
  }

  @Test("Short tasks leave nothing in a scope")
  func shortTasks() async {
    let scope = LifecycleScope()
    let released = Counter()
    var most = 0
    for _ in 0..<100 {
      let tasks = (0..<100).map { _ in
        let canary = Canary { released.add() }
        return scope.task { @concurrent in canary.sing() }
      }
      for task in tasks { await task.value }
      most = max(most, scope.core.entryCount)
    }
    expectNoDifference(released.count, 10_000)
    #expect(most <= 100)
    #expect(scope.core.entryCount <= 100)
  }

  @Test("A task runs on the caller's actor, in the order of other tasks")
  func callersActor() async {
    let scope = LifecycleScope()
    let log = Trace()
    let tasks = [
      Task { log("before") },
      scope.task { log("scope's") },
      Task { log("after") },
    ]
    for task in tasks { await task.value }
    expectNoDifference(log.lines, ["before", "scope's", "after"])
    let worker = Worker()
    #expect(await worker.work(in: scope).value == 1)
    #expect(await offTheMainActor(scope).value)
  }

  private actor Worker {
    private var count = 0

    func work(in scope: LifecycleScope) -> Task<Int, Never> {
      scope.task {
        self.assertIsolated()
        self.count += 1
        return self.count
      }
    }
  }

  nonisolated private func offTheMainActor(_ scope: LifecycleScope) -> Task<Bool, Never> {
    scope.task { @MainActor in
      MainActor.assertIsolated()
      return true
    }
  }

  @Test("A concurrent task does not wait for the caller's actor")
  func otherActor() {
    let scope = LifecycleScope()
    // The main actor is not free before this test returns.
    let hasRun = ThreadGate()
    scope.task { @concurrent in hasRun.open() }
    hasRun.wait()
  }

  @Test("A task has the name that was asked for")
  func name() async {
    let scope = LifecycleScope()
    let task = scope.task(name: "indexer") {
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return true }
      return Task.name == "indexer"
    }
    #expect(await task.value)
  }

  @Test("A task has the task-local values of the call")
  func taskLocalValues() async throws {
    let scope = LifecycleScope()
    let (task, throwing) = Request.$name.withValue("42") {
      (
        scope.task { @concurrent in Request.name },
        scope.task { @concurrent () async throws in Request.name }
      )
    }
    #expect(await task.value == "42")
    #expect(try await throwing.value == "42")
    #expect(await scope.task { @concurrent in Request.name }.value == "none")
  }

  @Test(
    "A task has the caller's priority, or the one asked for",
    arguments: [TaskPriority.low, .high]
  )
  func priority(_ priority: TaskPriority) async {
    let scope = LifecycleScope()
    let inherited = Locked<[TaskPriority?]>([])
    let areDone = AsyncGate()
    let note: @Sendable () -> Void = {
      let count = inherited.withLock { list in
        list.append(Task.basePriority)
        return list.count
      }
      if count == 3 { areDone.open() }
    }
    // Nobody awaits the tasks, which would raise their priority.
    Task.detached(priority: priority) {
      scope.task { @concurrent in note() }
      scope.task { @concurrent () async throws in note() }
    }
    scope.task(priority: priority) { @concurrent in note() }
    await areDone.opened()
    expectNoDifference(inherited.withLock { $0 }, [priority, priority, priority])
  }
}

private enum Request {
  @TaskLocal static var name = "none"
}
