import CustomDump
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Samples of deferred work run")
@MainActor
struct DeferredWorkSampleRuns {
  private let samples = DeferredWorkSamples()

  @Test("Thumbnails are made in the next wake")
  func thumbnailsInTheNextWake() async {
    let deferred = samples.deferred()
    expectNoDifference(deferred.pendingJobs, ["thumbnails"])
    expectNoDifference(samples.output, [])
    await samples.run(deferred)
    expectNoDifference(samples.output, ["thumbnails made"])
    expectNoDifference(samples.host.operations, [.began("deferred work"), .ended("deferred work")])
  }

  @Test("Thumbnails are made when a fetch runs the jobs")
  func thumbnailsAreMadeWhenFetchRunsJobs() async {
    let report = await samples.fetch(running: samples.deferred())
    expectNoDifference(report.result, .noData)
    expectNoDifference(samples.output, ["thumbnails made"])
  }
}
