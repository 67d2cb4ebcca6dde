import CustomDump
import LifecycleBackgroundWork
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("LifecycleBus.application in a test")
struct UnimplementedApplicationBusTests {
  @Test("Each use is reported at the test, with the remedies, and connected to nothing")
  func reported() throws {
    var bus: LifecycleBus?
    let issues = reportedIssues { for _ in 1...2 { bus = LifecycleBus.application } }
    let issue = try #require(issues.first)
    let place = try #require(Test.current).sourceLocation
    expectNoDifference(
      issues,
      Array(
        repeating: ReportedIssue(issue.message, fileID: place.fileID, line: place.line),
        count: 2
      )
    )
    #expect(
      issue.message.hasPrefix(
        "The test ReactiveLifecycleTests.UnimplementedApplicationBusTests/reported()/"
      ),
      "\(issue)"
    )
    for remedy in [".lifecycle", "withApplication(_:operation:)", ".liveApplication"] {
      #expect(issue.message.contains(remedy))
    }
    expectNoDifference(bus?.diagnostics.participants.isEmpty, true)
  }

  @Test("A bus replaces the application's for an asynchronous operation, whose value is returned")
  func replacedAsynchronously() async {
    let bus = LifecycleBus(clock: ManualClock())
    let issues = await reportedIssues {
      let found = await LifecycleBus.withApplication(bus) {
        await Task.yield()
        return LifecycleBus.application
      }
      #expect(found === bus)
    }
    expectNoDifference(issues, [])
  }

  @Test("A callback that runs later is outside the replacement, and reported")
  func callback() {
    let bus = LifecycleBus(clock: ManualClock())
    let callback = LifecycleBus.withApplication(bus) { { LifecycleBus.application } }
    var found: LifecycleBus?
    let issues = reportedIssues { found = callback() }
    #expect(found !== bus)
    expectNoDifference(issues.count, 1)
    expectNoDifference(issues.first?.message.contains("which is unimplemented in tests"), true)
  }

  @Test("A flight recorder of the application's bus has the tasks of the application's coordinator")
  func recorded() {
    let bus = LifecycleBus(clock: ManualClock())
    let recorder = FlightRecorder(of: bus)
    LifecycleBus.withApplication(bus) {
      BackgroundTaskCoordinator.application.beginTask(named: "recorded") {}.end()
    }
    let changes = recorder.recording.records.compactMap { record -> String? in
      guard case .activity(let activity) = record.content else { return nil }
      return "\(activity.kind) \(activity.name) \(activity.change)"
    }
    expectNoDifference(
      changes,
      ["backgroundTask recorded began", "backgroundTask recorded ended(\"finished\")"]
    )
  }
}
