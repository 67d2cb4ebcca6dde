import CustomDump
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@Suite("In-memory hosts without a clock")
@MainActor
struct StillHostTests {
  @Test("Without a clock, no fetch misses its deadline, and a task expires only by expire()")
  func timeStandsStill() async {
    let fetches = InMemoryBackgroundFetchHost()
    let requests = Collector<BackgroundFetchRequest>()
    fetches.setFetchHandler { requests($0) }
    fetches.beginFetch(deadline: .nanoseconds(1))
    let tasks = InMemoryBackgroundTaskHost(remainingTime: .nanoseconds(1))
    let task = Locked<BackgroundTaskID?>(nil)
    task.exchange(
      tasks.beginTask(named: "upload") { [weak tasks] in
        if let id = task.withLock({ $0 }) { tasks?.endTask(id) }
      }
    )
    // A timer of the system fires that was due, and set, after those of a host would be.
    let clock = SystemLifecycleClock()
    let timer = Locked<LifecycleCancellable?>(nil)
    await withCheckedContinuation { continuation in
      timer.exchange(
        clock.schedule(at: clock.continuous + .milliseconds(10)) { continuation.resume() }
      )
    }
    await mainQueueToDrain()
    expectNoDifference(fetches.operations, [.began(1)])
    requests.values[0].complete(.newData)
    expectNoDifference(tasks.openTasks, ["upload"])
    expectNoDifference(tasks.remainingTime, .nanoseconds(1))
    tasks.expire()
    expectNoDifference(tasks.operations, [.began("upload"), .expired("upload"), .ended("upload")])
  }
}
