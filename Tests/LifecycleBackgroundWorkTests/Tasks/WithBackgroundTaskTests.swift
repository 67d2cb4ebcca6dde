import CustomDump
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleTesting
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

  @Test("withBackgroundTask returns the value of the body, which runs under a task")
  func returnsTheValueOfTheBody() async {
    let value = await withBackgroundTask(named: "upload", tasks: tasks) { [tasks] in
      tasks.grantedTasks
    }
    expectNoDifference(value, ["upload"])
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
  }

  @Test("withBackgroundTask throws the typed error of the body")
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

  @Test(
    "When time is up the body is cancelled inside the handler, and it returns when the body has"
  )
  func whenTimeIsUpBodyIsCancelled() async {
    let (isRunning, mayReturn) = (AsyncGate(), AsyncGate())
    let caller = Task { [tasks, trace, host] in
      let value = await withBackgroundTask(named: "upload", tasks: tasks) {
        let isCancelled = AsyncGate()
        await withTaskCancellationHandler {
          isRunning.open()
          await isCancelled.opened()
        } onCancel: {
          trace("cancelled, open: \(host.openTasks)")
          isCancelled.open()
        }
        await mayReturn.opened()
        trace("body returns")
        return 7
      }
      trace("returned \(value), caller cancelled: \(Task.isCancelled)")
    }
    await isRunning.opened()
    host.expire()
    expectNoDifference(host.operations, [.began("upload"), .expired("upload"), .ended("upload")])
    mayReturn.open()
    await caller.value
    expectNoDifference(
      trace.lines,
      ["cancelled, open: [\"upload\"]", "body returns", "returned 7, caller cancelled: false"]
    )
  }

  @Test("Cancelling the caller cancels the body")
  func callerCancelled() async {
    let isRunning = AsyncGate()
    let caller = Task { [tasks] in
      await withBackgroundTask(named: "upload", tasks: tasks) {
        isRunning.open()
        try? await Task.sleep(for: .seconds(3600))
        return Task.isCancelled
      }
    }
    await isRunning.opened()
    caller.cancel()
    #expect(await caller.value)
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
  }

  // MARK: Isolation

  private final class NotSendable {
    var value = 0
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

  @Test("The body runs on the caller's actor")
  func onActor() async {
    #expect(await Uploader().run(on: tasks) == 2)
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
  }

  @TaskLocal private static var label = "none"

  @Test("The caller's task-local values hold in the body")
  func taskLocals() async {
    let label = await Self.$label.withValue("caller") {
      await withBackgroundTask(named: "upload", tasks: tasks) { Self.label }
    }
    expectNoDifference(label, "caller")
  }
}
