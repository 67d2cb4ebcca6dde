import CustomDump
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("withBackgroundTask")
struct WithBackgroundTaskTests {
  private let host = InMemoryBackgroundTaskHost()
  private let tasks: BackgroundTaskCoordinator
  private let trace = Trace()

  init() {
    tasks = BackgroundTaskCoordinator(host: host)
  }

  private struct Failure: Error, Equatable {
    var number: Int
  }

  /// Waits until its task is cancelled.
  nonisolated private static func cancellation() async {
    let gate = AsyncGate()
    await withTaskCancellationHandler {
      await gate.opened()
    } onCancel: {
      gate.open()
    }
  }

  @Test("It returns what the body returns, under a task")
  func returnsTheValueOfTheBody() async {
    let value = await withBackgroundTask(named: "upload", tasks: tasks) { [tasks] in
      tasks.grantedTasks
    }
    expectNoDifference(value, ["upload"])
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
  }

  @Test("It throws what the body throws, by its type")
  func typedThrows() async {
    do throws(Failure) {
      try await withBackgroundTask(named: "upload", tasks: tasks) { () async throws(Failure) in
        throw Failure(number: 3)
      }
      Issue.record("It did not throw")
    } catch {
      expectNoDifference(error.number, 3)
    }
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
  }

  @Test("When time is up the body is cancelled, and it returns only when the body has")
  func whenTimeIsUpBodyIsCancelled() async {
    let (isRunning, mayReturn) = (AsyncGate(), AsyncGate())
    let caller = Task { [tasks, trace] in
      let value = await withBackgroundTask(named: "upload", tasks: tasks) {
        isRunning.open()
        await Self.cancellation()
        trace("body cancelled: \(Task.isCancelled)")
        await mayReturn.opened()
        trace("body returns")
        return 7
      }
      trace("returned \(value), caller cancelled: \(Task.isCancelled)")
    }
    await isRunning.opened()
    host.expire()
    expectNoDifference(
      host.operations,
      [.began("upload"), .expired("upload"), .ended("upload")]
    )
    mayReturn.open()
    await caller.value
    expectNoDifference(
      trace.lines,
      ["body cancelled: true", "body returns", "returned 7, caller cancelled: false"]
    )
  }

  @Test("The body's cancellation handlers have run when the time is given back")
  func cancellationHandlers() async {
    let isRunning = AsyncGate()
    let caller = Task { [tasks, trace, host] in
      await withBackgroundTask(named: "upload", tasks: tasks) {
        let gate = AsyncGate()
        await withTaskCancellationHandler {
          isRunning.open()
          await gate.opened()
        } onCancel: {
          trace("cancelled, open: \(host.openTasks)")
          gate.open()
        }
      }
    }
    await isRunning.opened()
    host.expire()
    expectNoDifference(trace.lines, ["cancelled, open: [\"upload\"]"])
    await caller.value
  }

  @Test("The cancellation of the caller is passed on")
  func callerCancelled() async {
    let isRunning = AsyncGate()
    let caller = Task { [tasks] in
      await withBackgroundTask(named: "upload", tasks: tasks) {
        isRunning.open()
        await Self.cancellation()
        return Task.isCancelled
      }
    }
    await isRunning.opened()
    caller.cancel()
    #expect(await caller.value)
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
  }

  @Test("A caller that is cancelled already: the body runs, and is cancelled")
  func cancelledBefore() async {
    let caller = Task { [tasks] in
      await Self.cancellation()
      return await withBackgroundTask(named: "upload", tasks: tasks) { Task.isCancelled }
    }
    caller.cancel()
    #expect(await caller.value)
    host.expectNoOpenTasks()
  }

  @Test("Without a grant the body runs all the same")
  func bodyRunsWithoutGrant() async {
    host.isGranting = false
    let value = await withBackgroundTask(named: "upload", tasks: tasks) { !Task.isCancelled }
    #expect(value)
    expectNoDifference(host.operations, [.refused("upload")])
  }

  // MARK: Isolation

  private final class NotSendable {
    var value = 0
  }

  @Test("On the main actor the body runs there, and may use what is not Sendable")
  func onMainActor() async {
    let object = NotSendable()
    await withBackgroundTask(named: "upload", tasks: tasks) {
      MainActor.assertIsolated()
      object.value += 1
      await Task.yield()
      MainActor.assertIsolated()
      object.value += 1
    }
    expectNoDifference(object.value, 2)
  }

  private actor Uploader {
    private let object = NotSendable()

    func run(on tasks: BackgroundTaskCoordinator) async -> Int {
      let local = NotSendable()
      return await withBackgroundTask(named: "upload", tasks: tasks) {
        self.assertIsolated()
        self.object.value += 1
        await Task.yield()
        self.assertIsolated()
        local.value += 1
        return self.object.value + local.value
      }
    }
  }

  @Test("On an actor the body runs there")
  func onActor() async {
    #expect(await Uploader().run(on: tasks) == 2)
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
  }

  nonisolated private static func runNonisolated(
    on tasks: BackgroundTaskCoordinator
  ) async -> Int {
    let object = NotSendable()
    await withBackgroundTask(named: "upload", tasks: tasks) {
      object.value += 1
      await Task.yield()
      object.value += 1
    }
    return object.value
  }

  @Test("Without an actor too")
  func worksWithoutActor() async {
    #expect(await Self.runNonisolated(on: tasks) == 2)
    host.expectNoOpenTasks()
  }

  @TaskLocal private static var label = "none"

  @Test("The caller's task-local values hold in the body")
  func taskLocals() async {
    let label = await Self.$label.withValue("caller") {
      await withBackgroundTask(named: "upload", tasks: tasks) { Self.label }
    }
    expectNoDifference(label, "caller")
  }

  @Test("Several at once share the time, and all are cancelled")
  func severalShareTheTime() async {
    let running = [AsyncGate(), AsyncGate(), AsyncGate()]
    let callers = running.map { gate in
      Task { [tasks] in
        await withBackgroundTask(named: "upload", tasks: tasks) {
          gate.open()
          await Self.cancellation()
          return Task.isCancelled
        }
      }
    }
    for gate in running { await gate.opened() }
    host.expire()
    for caller in callers { #expect(await caller.value) }
    expectNoDifference(
      host.operations,
      [.began("upload"), .expired("upload"), .ended("upload")]
    )
  }
}
