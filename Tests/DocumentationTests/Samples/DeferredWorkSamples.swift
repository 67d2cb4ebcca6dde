import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle

/// What the samples of deferred work take for granted, recording what they do.
@MainActor
struct DeferredWorkSamples {
  final class Transcript {
    var lines: [String] = []
  }

  let bus = LifecycleBus(clock: ManualClock())
  let host = InMemoryBackgroundTaskHost()
  let tasks: BackgroundTaskCoordinator
  private let transcript = Transcript()

  init() {
    tasks = BackgroundTaskCoordinator(host: host)
  }

  var output: [String] { transcript.lines }

  func makeThumbnails() async throws { transcript.lines.append("thumbnails made") }
  nonisolated func log(_ result: DeferredWorkQueue.JobReport) {}

  func deferred() -> DeferredWorkQueue {
    let deferred = DeferredWorkQueue(of: bus, tasks: tasks) { result in log(result) }
    deferred.enqueue("thumbnails") { try await makeThumbnails() }
    return deferred
  }

  func run(_ deferred: DeferredWorkQueue) async {
    await deferred.runJobs()
  }

  func fetch(running deferred: DeferredWorkQueue) async -> BackgroundFetchReport {
    let fetches = BackgroundFetchCoordinator(of: bus)
    let scope = LifecycleScope("deferred work")
    fetches.addHandler(named: "deferred work", in: scope) {
      await deferred.runJobs()
      return .noData
    }
    return await fetches.performFetch(deadline: .seconds(30))
  }
}
