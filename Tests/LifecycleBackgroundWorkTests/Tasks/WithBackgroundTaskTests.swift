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

  // MARK: A body that does not escape

  private func count(_ steps: Int, into count: inout Int, _ add: (Int) -> Int) async {
    await withBackgroundTask(named: "count", tasks: tasks) {
      for _ in 0..<steps {
        count = add(count)
        await Task.yield()
      }
    }
  }

  @Test("A body can use an inout parameter, and a closure that does not escape")
  func nonescapingBody() async {
    var (count, calls) = (0, 0)
    for _ in 1...100 {
      await self.count(3, into: &count) { value in
        calls += 1
        return value + 1
      }
    }
    expectNoDifference([count, calls], [300, 300])
    host.expectNoOpenTasks()
  }

  // MARK: Work on leaving

  @Test("When the notification returns, time is held for started work, and not for a Task's")
  func heldWhenTheNotificationReturns() async throws {
    let (bus, scope) = (LifecycleBus(), LifecycleScope("store"))
    var work: Task<[String], Never>?
    bus.addObserver(for: .didEnterBackground, in: scope) { [tasks, trace] _ in
      Task { await withBackgroundTask(named: "by hand", tasks: tasks) {} }
      work = startBackgroundTask(named: "save", tasks: tasks) {
        MainActor.assertIsolated()
        trace("saves")
        return tasks.grantedTasks
      }
    }
    bus.send(.didBecomeActive)
    bus.send(.didEnterBackground)
    expectNoDifference(tasks.grantedTasks, ["save"])
    expectNoDifference(trace.lines, [])
    // It outlives the screen.
    scope.end()
    #expect(await work?.value.contains("save") == true)
    #expect(!tasks.grantedTasks.contains("save"))
  }

  enum WayToEnd: CaseIterable {
    case returns, throwsError, isCancelled, timeIsUp, timeIsUpBeforeItRuns
  }

  @Test(
    "A task ends once, when the body has ended or time is up, which cancels the body in the handler",
    arguments: [true, false],
    WayToEnd.allCases
  )
  func endsOnce(isStarted: Bool, _ way: WayToEnd) async {
    guard isStarted || way != .timeIsUpBeforeItRuns else { return }
    let (isRunning, mayEnd) = (AsyncGate(), AsyncGate())
    let body = { @MainActor [trace, host] in
      await withTaskCancellationHandler {
        isRunning.open()
        await mayEnd.opened()
      } onCancel: {
        trace("cancelled, open: \(host.openTasks)")
      }
      if way == .throwsError { throw Failure(number: 3) }
      return Task.isCancelled
    }
    let work =
      isStarted
      ? startBackgroundTask(named: "save", tasks: tasks, body)
      : Task { [tasks] in try await withBackgroundTask(named: "save", tasks: tasks, body) }
    if way != .timeIsUpBeforeItRuns { await isRunning.opened() }
    switch way {
    case .returns, .throwsError: break
    case .isCancelled: work.cancel()
    case .timeIsUp, .timeIsUpBeforeItRuns: host.expire()
    }
    let isExpired = way == .timeIsUp || way == .timeIsUpBeforeItRuns
    expectNoDifference(tasks.grantedTasks, isExpired ? [] : ["save"])
    // The caller of withBackgroundTask is not cancelled when time is up.
    expectNoDifference(work.isCancelled, way == .isCancelled || isExpired && isStarted)
    mayEnd.open()
    switch await work.result {
    case .success(let isCancelled): expectNoDifference(isCancelled, isExpired || work.isCancelled)
    case .failure(let error): expectNoDifference(error as? Failure, Failure(number: 3))
    }
    let isCancelledInside = way == .timeIsUp || way == .isCancelled
    if isCancelledInside { expectNoDifference(trace.lines, ["cancelled, open: [\"save\"]"]) }
    expectNoDifference(
      host.operations,
      [.began("save")] + (isExpired ? [.expired("save")] : []) + [.ended("save")]
    )
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

    func start(on tasks: BackgroundTaskCoordinator) -> Task<Int, any Error> {
      startBackgroundTask(named: "upload", tasks: tasks) {
        self.assertIsolated()
        self.object.value += 1
        return self.object.value
      }
    }
  }

  @Test("The body runs on the caller's actor")
  func onActor() async throws {
    let uploader = Uploader()
    #expect(await uploader.run(on: tasks) == 2)
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
    let upload = await uploader.start(on: tasks)
    #expect(try await upload.value == 2)
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
