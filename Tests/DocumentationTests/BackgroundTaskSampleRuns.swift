import CustomDump
import LifecycleTesting
import Testing

@MainActor
@Suite("Documentation samples of background tasks run")
struct BackgroundTaskSampleRuns {
  @Test("Uploads that end in time and late")
  func uploadsThatEndInTimeAndLate() {
    expectNoDifference(
      backgroundTaskCoordinatorSample(),
      [.began("upload"), .ended("upload"), .began("upload"), .expired("upload"), .ended("upload")]
    )
    expectNoDifference(scopedBackgroundTaskSample(), [.began("upload"), .ended("upload")])
  }

  @Test("Bodies under a task")
  func bodiesUnderATask() async throws {
    let operations = try await bodyUnderTaskSample()
    expectNoDifference(operations, [.began("upload"), .ended("upload")])
    let isOpen = try await applicationTaskSample()
    #expect(!isOpen)
  }

  @Test("The process as a host")
  func processAsHost() {
    expectNoDifference(processTaskHostSample(), .seconds(2))
    expectNoDifference(pausableTaskSample(), .seconds(20))
  }
}
