import CustomDump
import Dispatch
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import Testing

@MainActor
@Suite("Deferred work: threads")
struct DeferredWorkThreadTests {
  @Test("Jobs and wakes from several threads: each job runs once, one at a time, under one task")
  func jobsAndWakesFromSeveralThreads() async {
    let bus = NonisolatedLifecycleBus()
    let host = InMemoryBackgroundTaskHost()
    let tasks = BackgroundTaskCoordinator(host: host)
    let runs = Count()
    let running = Count()
    let breaches = Count()
    let queue = DeferredWorkQueue(of: bus, tasks: tasks)
    await withTaskGroup(of: Void.self) { group in
      for worker in 1...4 {
        group.addTask { @Sendable in
          for round in 1...50 {
            queue.enqueue("\(worker) \(round)") {
              if running.add(1) > 1 || tasks.grantedTasks.count != 1 { breaches.add(1) }
              await Task.yield()
              runs.add(1)
              running.add(-1)
            }
            if round.isMultiple(of: 5) { bus.send(.systemDidWake) }
            if round.isMultiple(of: 7) { await queue.runJobs() }
          }
        }
      }
    }
    // The first may only join what is under way.
    while !queue.pendingJobs.isEmpty { await queue.runJobs() }
    await queue.runJobs()
    expectNoDifference(runs.value, 200)
    expectNoDifference(breaches.value, 0)
    #expect(tasks.grantedTasks.isEmpty)
  }
}
