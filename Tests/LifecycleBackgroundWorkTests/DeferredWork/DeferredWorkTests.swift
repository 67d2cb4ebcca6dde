import CustomDump
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// A queue whose jobs run inside the moves of a manual clock.
@MainActor
final class DeferredWorkStage {
  struct Failure: Error {}

  let trace = Trace()
  let clock = ManualClock()
  let bus: LifecycleBus
  let host: InMemoryBackgroundTaskHost
  let tasks: BackgroundTaskCoordinator
  private(set) var queue: DeferredWorkQueue?

  /// - Parameter prepare: Called before there is a queue.
  init(_ prepare: (LifecycleBus) -> Void = { _ in }) {
    bus = LifecycleBus(clock: clock)
    prepare(bus)
    host = InMemoryBackgroundTaskHost(clock: clock)
    tasks = BackgroundTaskCoordinator(host: host)
    let site = CallSite(#fileID, #filePath, #line, #column)
    queue = DeferredWorkQueue(bus.core, tasks, Self.starter(clock), site) { [trace] report in
      let duration = report.duration.text
      switch report.result {
      case .finished: trace("\(report.id) finished \(duration)")
      case .failed(let error): trace("\(report.id) failed (\(error)) \(duration)")
      case .interrupted: trace("\(report.id) interrupted \(duration)")
      }
    }
  }

  /// A job that takes that many seconds; what it does when it is cancelled.
  func enqueue(_ id: String, _ seconds: Int = 1, _ end: DeferredWorkEnd = .works) {
    queue?.enqueue(id) { [trace, clock] in
      trace("\(id) begins")
      do {
        try await withTaskCancellationHandler {
          try await Task.sleep(for: .seconds(seconds), clock: clock)
        } onCancel: {
          trace("\(id) cancelled")
        }
      } catch {
        if end == .failsWhenCancelled { throw Failure() }
        if end != .returnsWhenCancelled { throw error }
      }
      if end == .fails { throw Failure() }
    }
  }

  /// Back to the foreground, after a stay.
  func wake() {
    bus.send(.didEnterBackground)
    bus.send(.willEnterForeground)
    run()
  }

  /// Runs what is queued, without letting time pass.
  func run() { clock.advance(by: .zero) }

  private static func starter(_ clock: ManualClock) -> TaskStarter {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      fatalError("Before macOS 15, a clock is no executor.")
    }
    return TaskStarter(clock)
  }

  /// A caller on the clock, who has not begun.
  func runJobs() -> Task<Void, Never> {
    Self.starter(clock).start { [queue, trace] in
      await queue?.runJobs()
      trace("ran")
    }
  }

  func move(_ seconds: Int) { clock.advance(by: .seconds(seconds)) }
  func release() { queue = nil }
  func take() -> [String] { trace.take() }
}

enum DeferredWorkEnd: Sendable { case works, fails, returnsWhenCancelled, failsWhenCancelled }

/// Jobs run together, in order, on the next wake, inside one assertion, each at most
/// once, cancelled when time is up, kept if unfinished.
@MainActor
@Suite("Deferred work")
struct DeferredWorkTests {
  @Test("Jobs run in order, one after the other, inside one task")
  func jobsRunInOrder() {
    let stage = DeferredWorkStage()
    stage.enqueue("a", 2)
    stage.enqueue("b", 3, .fails)
    stage.enqueue("c")
    expectNoDifference(stage.queue?.pendingJobs, ["a", "b", "c"])
    stage.wake()
    expectNoDifference(stage.take(), ["a begins"])
    expectNoDifference(stage.queue?.pendingJobs, ["b", "c"])
    stage.move(6)
    expectNoDifference(
      stage.take(),
      ["a finished 2 s", "b begins", "b failed (Failure()) 3 s", "c begins", "c finished 1 s"]
    )
    expectNoDifference(stage.host.operations, [.began("deferred work"), .ended("deferred work")])
    // Neither is kept.
    stage.wake()
    expectNoDifference(stage.take(), [])
    expectNoDifference(stage.host.operations.count, 2)
  }

  @Test("The first foreground after launch is no wake; a return is one, even without a grant")
  func firstForegroundAfterLaunchWakesNobody() {
    let stage = DeferredWorkStage()
    stage.enqueue("a")
    stage.bus.send(.didBecomeActive)
    stage.run()
    expectNoDifference(stage.take(), [])
    stage.host.isGranting = false
    stage.wake()
    stage.move(1)
    expectNoDifference(stage.take(), ["a begins", "a finished 1 s"])
  }

  @Test(
    "The first opening of a process that was launched in the background is a wake",
    arguments: [4, 5],
    [true, false]
  )
  func firstOpeningAfterLaunchInBackground(seconds: Int, queueIsMadeFirst: Bool) {
    let stage =
      queueIsMadeFirst ? DeferredWorkStage() : DeferredWorkStage { $0.send(.didFinishLaunching) }
    if queueIsMadeFirst { stage.bus.send(.didFinishLaunching) }
    stage.enqueue("a")
    stage.move(seconds)
    stage.bus.send(.didBecomeActive)
    stage.run()
    // A launch to the foreground may take some seconds, too.
    expectNoDifference(stage.take(), seconds < 5 ? [] : ["a begins"])
  }

  @Test("The launch is the first phase, not the notice that came last before the queue was created")
  func noticeAfterLaunchInBackground() {
    let stage = DeferredWorkStage { bus in
      bus.send(.didFinishLaunching, at: bus.core.clock.now.advanced(by: .seconds(-5)))
      bus.send(.didReceiveMemoryWarning)
    }
    stage.enqueue("a")
    stage.bus.send(.didBecomeActive)
    stage.run()
    expectNoDifference(stage.take(), ["a begins"])
  }

  @Test("A waiting job can be replaced, in its place")
  func waitingJobIsReplaced() {
    let stage = DeferredWorkStage()
    let released = Trace()
    stage.queue?.enqueue("a") { [canary = Canary { released("released") }] in canary.sing() }
    stage.enqueue("b")
    expectNoDifference(released.lines, [])
    stage.enqueue("a", 3)
    expectNoDifference(released.lines, ["released"])
    expectNoDifference(stage.queue?.pendingJobs, ["a", "b"])
    stage.wake()
    stage.move(4)
    expectNoDifference(stage.take(), ["a begins", "a finished 3 s", "b begins", "b finished 1 s"])
  }

  @Test("The end of the bus cancels the running job, and discards the others")
  func busEnds() {
    let stage = DeferredWorkStage()
    let released = Trace()
    stage.enqueue("a", 5)
    stage.queue?.enqueue("b") { [canary = Canary { released("released") }] in canary.sing() }
    stage.wake()
    stage.bus.send(.willTerminate)
    expectNoDifference(stage.take(), ["a begins", "a cancelled"])
    expectNoDifference(released.lines, ["released"])
    // The job has not returned.
    expectNoDifference(stage.host.openTasks, ["deferred work"])
    stage.run()
    expectNoDifference(stage.take(), ["a interrupted 0 s"])
    expectNoDifference(stage.host.openTasks, [])
    stage.enqueue("c")
    expectNoDifference(stage.queue?.pendingJobs, [])
  }

  @Test("Releasing a queue cancels the running job, and ends its background task")
  func releaseCancelsTheRunningJob() {
    let stage = DeferredWorkStage()
    let weak = Weak(stage.queue!)
    stage.enqueue("a", 5)
    stage.enqueue("b", 5)
    stage.wake()
    stage.release()
    #expect(!weak.isAlive)
    expectNoDifference(stage.host.openTasks, ["deferred work"])
    stage.run()
    expectNoDifference(stage.take(), ["a begins", "a cancelled", "a interrupted 0 s"])
    expectNoDifference(stage.host.operations, [.began("deferred work"), .ended("deferred work")])
    #expect(stage.bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("runJobs() returns when the wake's jobs have ended, at once without jobs")
  func runJobs() async {
    let stage = DeferredWorkStage()
    await stage.queue?.runJobs()
    expectNoDifference(stage.host.operations, [])
    stage.enqueue("a", 2)
    let callers = (1...2).map { _ in stage.runJobs() }
    stage.run()
    expectNoDifference(stage.take(), ["a begins"])
    stage.move(2)
    for caller in callers { await caller.value }
    expectNoDifference(stage.take(), ["a finished 2 s", "ran", "ran"])
    expectNoDifference(stage.host.operations.count, 2)
  }

  @Test(
    "After the end of the bus, runJobs() returns when the last job has returned",
    arguments: [true, false]
  )
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func runJobsAtTheEnd(isCalledAfterTheEnd: Bool) async {
    let stage = DeferredWorkStage()
    stage.queue?.enqueue("a") { [clock = stage.clock] in
      // Goes on when it is cancelled.
      let work = Task(executorPreference: clock) {
        try await Task.sleep(for: .seconds(5), clock: clock)
      }
      try await work.value
    }
    stage.wake()
    var caller = isCalledAfterTheEnd ? nil : stage.runJobs()
    stage.run()
    stage.bus.send(.willTerminate)
    if isCalledAfterTheEnd { caller = stage.runJobs() }
    stage.move(4)
    expectNoDifference(stage.take(), [])
    stage.move(1)
    await caller?.value
    expectNoDifference(stage.take(), ["a finished 5 s", "ran"])
    // Nothing runs any longer.
    await stage.queue?.runJobs()
  }

  @Test("A caller that waits for a wake after a stopped one returns if no job is left")
  func runJobsForNothing() {
    let stage = DeferredWorkStage()
    stage.enqueue("a", 2, .returnsWhenCancelled)
    stage.wake()
    let caller = stage.runJobs()
    // The caller runs after this, and before the job.
    stage.host.expire()
    stage.run()
    expectNoDifference(stage.take(), ["a begins", "a cancelled", "a finished 0 s", "ran"])
    withExtendedLifetime(caller) {}
  }

  @Test(
    "Cancelling the task of runJobs() stops the wake, unless another caller or an event requested it"
  )
  func runJobsCancelled() async {
    let stage = DeferredWorkStage()
    // Any error after the cancellation is an interruption.
    stage.enqueue("a", 2, .failsWhenCancelled)
    let (first, second) = (stage.runJobs(), stage.runJobs())
    stage.run()
    first.cancel()
    stage.run()
    await first.value
    expectNoDifference(stage.take(), ["a begins", "ran"])
    second.cancel()
    stage.run()
    await second.value
    let lines = stage.take()
    expectNoDifference(lines.sorted(), ["a cancelled", "a interrupted 0 s", "ran"])
    expectNoDifference(stage.queue?.pendingJobs, ["a"])

    let third = stage.runJobs()
    stage.run()
    stage.bus.send(.systemDidWake)
    third.cancel()
    stage.run()
    await third.value
    stage.move(2)
    expectNoDifference(stage.take(), ["a begins", "ran", "a finished 2 s"])
  }

  @Test("Jobs run on the global executor, and those of the main actor there")
  func globalExecutor() async {
    let stage = DeferredWorkStage()
    let bus = LifecycleBus()
    let trace = stage.trace
    let queue = DeferredWorkQueue(of: bus, tasks: stage.tasks) {
      trace("\($0.id) done on main \(MainQueue.isCurrent)")
    }
    queue.enqueue("a") { @MainActor in trace("a on main \(MainQueue.isCurrent)") }
    queue.enqueue("b") { trace("b on main \(MainQueue.isCurrent)") }
    await queue.runJobs()
    expectNoDifference(
      stage.take(),
      ["a on main true", "a done on main false", "b on main false", "b done on main false"]
    )
    stage.host.expectNoOpenTasks()
    withExtendedLifetime((bus, queue)) {}
  }

  @Test("The time that the device slept is part of a job's duration")
  func durationIncludesSleep() {
    let stage = DeferredWorkStage()
    stage.enqueue("a", 5)
    stage.wake()
    stage.move(2)
    stage.clock.sleepDevice(for: .seconds(10))
    stage.run()
    expectNoDifference(stage.take(), ["a begins", "a finished 12 s"])
  }

  @Test("What a job holds is released when the job is finished")
  func finishedJobIsReleased() {
    let stage = DeferredWorkStage()
    let released = Trace()
    stage.queue?.enqueue("a") { [clock = stage.clock, canary = Canary { released("released") }] in
      try await Task.sleep(for: .seconds(2), clock: clock)
      canary.sing()
    }
    stage.wake()
    stage.move(1)
    expectNoDifference(released.lines, [])
    stage.move(1)
    expectNoDifference(stage.take(), ["a finished 2 s"])
    expectNoDifference(released.lines, ["released"])
  }

  @Test("Jobs and wakes from several threads: each job runs once, one at a time, under one task")
  func jobsAndWakesFromSeveralThreads() async {
    let bus = NonisolatedLifecycleBus()
    let host = InMemoryBackgroundTaskHost()
    let tasks = BackgroundTaskCoordinator(host: host)
    let runs = Counter()
    let running = Counter()
    let breaches = Counter()
    let queue = DeferredWorkQueue(of: bus, tasks: tasks)
    await withTaskGroup(of: Void.self) { group in
      for worker in 1...4 {
        group.addTask { @Sendable in
          for round in 1...50 {
            queue.enqueue("\(worker) \(round)") {
              if running.add() > 1 || tasks.grantedTasks.count != 1 { breaches.add() }
              await Task.yield()
              runs.add()
              running.subtract()
            }
            if round.isMultiple(of: 5) { bus.send(.systemDidWake) }
            if round.isMultiple(of: 7) { await queue.runJobs() }
          }
        }
      }
    }
    await queue.runJobs()
    expectNoDifference(queue.pendingJobs, [])
    expectNoDifference(runs.count, 200)
    expectNoDifference(breaches.count, 0)
    #expect(tasks.grantedTasks.isEmpty)
    withExtendedLifetime((bus, queue)) {}
  }
}
