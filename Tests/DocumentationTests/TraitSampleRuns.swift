import LifecycleSources
import TestSupport
import Testing

@Suite("Documentation samples of the application in tests run")
@MainActor
struct TraitSampleRuns {
  @Test("A dependency that a test forgets is reported: the application's bus is unimplemented")
  func forgottenDependency() {
    expectReportedIssue("which is unimplemented in tests", line: nil) {
      _ = makeNewsFeedWithoutDependency()
    }
  }
}
