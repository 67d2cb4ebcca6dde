import CustomDump
import ReactiveLifecycle
import Testing

@testable import LifecycleBackgroundWork

@Suite("Background work: dumps")
struct BackgroundWorkDumpTests {
  @Test("Durations are in seconds")
  func durationsAreInSeconds() {
    let report = DeferredWorkQueue.JobReport(
      id: "inbox",
      outcome: .finished,
      duration: .milliseconds(2500)
    )
    expectNoDifference(
      String(customDumping: report),
      """
      DeferredWorkQueue.JobReport(
        id: "inbox",
        outcome: .finished,
        duration: 2.5 s
      )
      """
    )
    let site = CallSite(fileID: #fileID, filePath: #filePath, line: #line, column: #column)
    let rest = DutyCycle.Rest(
      requested: .seconds(60),
      granted: .seconds(29),
      isGranted: true,
      site
    )
    expectNoDifference(
      String(customDumping: rest),
      """
      DutyCycle.Rest(
        requested: 60 s,
        granted: 29 s,
        isGranted: true
      )
      """
    )
  }
}
