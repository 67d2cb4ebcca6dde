import CustomDump
import LifecycleSources
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Documentation samples of the application in tests run")
@MainActor
struct TraitSampleRuns {
  @Test("In a preview nothing is connected to the bus that is the dependency")
  func preview() {
    let diagnostics = makeBusOfPreview().diagnostics
    #expect(diagnostics.participants.isEmpty && diagnostics.ceilings.isEmpty)
    expectNoDifference(diagnostics.phase, .unknown)
  }

  @Test("A dependency that a test forgets is reported: the application's bus is unimplemented")
  func forgottenDependency() {
    expectReportedIssue("which is unimplemented in tests", line: nil) {
      _ = makeNewsFeedWithoutDependency()
    }
  }
}
