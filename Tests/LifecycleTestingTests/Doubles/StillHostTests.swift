import CustomDump
import LifecycleBackgroundWork
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("In-memory hosts without a clock: time stands still")
@MainActor
struct StillHostTests {
  /// Waits until a timer of the system has fired that was due, and set, after those of a host.
  private func realTimePasses() async {
    let clock = SystemLifecycleClock()
    let timer = Locked<LifecycleCancellable?>(nil)
    await withCheckedContinuation { continuation in
      timer.exchange(
        clock.schedule(at: clock.continuous + .milliseconds(10)) { continuation.resume() }
      )
    }
    await mainQueueToDrain()
  }

  @Test("No deadline of a fetch is missed")
  func fetch() async {
    let host = InMemoryBackgroundFetchHost()
    let requests = Collector<BackgroundFetchRequest>()
    host.setFetchHandler { requests($0) }
    host.beginFetch(deadline: .nanoseconds(1))
    await realTimePasses()
    expectNoDifference(host.operations, [.began(1)])
    requests.values[0].complete(.newData)
    expectNoDifference(host.results, [.newData])
  }

  @Test("Only a call expires a background task")
  func task() async {
    let host = InMemoryBackgroundTaskHost(remainingTime: .nanoseconds(1))
    let task = Locked<BackgroundTaskID?>(nil)
    task.exchange(
      host.beginTask(named: "upload") { [weak host] in
        if let id = task.withLock({ $0 }) { host?.endTask(id) }
      }
    )
    await realTimePasses()
    expectNoDifference(host.openTasks, ["upload"])
    expectNoDifference(host.remainingTime, .nanoseconds(1))
    host.expire()
    expectNoDifference(host.operations, [.began("upload"), .expired("upload"), .ended("upload")])
  }
}
