import CustomDump
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The faults that background tasks by hand have.
@MainActor
@Suite("Background tasks by hand")
struct HandwrittenBackgroundTaskTests {
  private let clock = ManualClock()
  private let host: InMemoryBackgroundTaskHost
  private let tasks: BackgroundTaskCoordinator

  init() {
    host = InMemoryBackgroundTaskHost(clock: clock)
    tasks = BackgroundTaskCoordinator(host: host)
  }

  @Test("The identifier is overwritten when a second task begins before the first ended")
  func identifierIsOverwrittenBySecondTask() {
    var task = tasks.beginTask(named: "first rest")
    #expect(task.isGranted)
    // By hand it would never end; here it has, and the report names the line of its beginning.
    expectReportedIssue("first rest", line: #line - 3) {
      task = tasks.beginTask(named: "second rest")
    }
    expectNoDifference(tasks.grantedTasks, ["second rest"])
    task.end()
    host.expectNoOpenTasks()
  }

  @Test("The task is ended twice: by its expiration and by its timer")
  func endedTwice() {
    let task = tasks.beginTask(named: "rest")
    let timer = clock.schedule(at: clock.continuous + .seconds(30)) { task.end() }
    clock.advance(by: .seconds(40))
    expectNoDifference(host.operations, [.began("rest"), .expired("rest"), .ended("rest")])
    withExtendedLifetime(timer) {}
  }

  @Test("The task is never ended: the system's patience ends it")
  func neverEnded() {
    let task = tasks.beginTask(named: "rest")
    clock.advance(by: .seconds(3_600))
    #expect(task.isExpired)
    host.expectNoOpenTasks()
  }

  @Test("The task is never ended: it goes with the screen")
  func neverEndedOnAScreen() {
    var screen: LifecycleScope? = LifecycleScope("map")
    tasks.beginTask(named: "rest", in: screen!)
    screen = nil
    host.expectNoOpenTasks()
  }
}
