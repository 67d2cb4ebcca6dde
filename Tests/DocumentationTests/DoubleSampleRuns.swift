import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Documentation samples of the doubles run")
struct DoubleSampleRuns {
  @Test("A journal in the system's file system")
  func systemFileSystem() throws {
    let directory = TemporaryDirectory()
    let path = directory.path("file")
    expectNoDifference(try systemFileSystemSample(path: path), .firstLaunch)
    expectNoDifference(try systemFileSystemSample(path: path), .killedInBackground)
  }

  @Test("A journal in memory, cut off and damaged")
  func inMemoryFileSystem() throws {
    expectNoDifference(try inMemoryFileSystemSample(), [.killedInForeground, .unknown])
  }

  @Test("A background task that expires")
  @MainActor func backgroundTask() {
    expectNoDifference(
      backgroundTaskSample(),
      [.began("upload"), .expired("upload"), .ended("upload")]
    )
  }

  @Test("A background fetch that has something new, and one that is stopped")
  func backgroundFetch() async {
    let operations = await backgroundFetchSample()
    expectNoDifference(
      operations,
      [.setMinimumInterval(.seconds(900)), .began(1), .completed(1, .newData)]
    )
    expectNoDifference(expiringFetchSample(), [.began(1), .expired(1), .completed(1, .failed)])
  }

  @Test("Models that don't use what they must not")
  @MainActor func modelsDontUseWhatTheyMustNot() {
    expectNoDifference(unimplementedSamples(), 3)
  }
}
