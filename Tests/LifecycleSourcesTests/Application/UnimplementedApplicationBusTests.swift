import CustomDump
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("LifecycleBus.application in a test")
struct UnimplementedApplicationBusTests {
  @Test("It is reported, with the test and the remedies, and connected to nothing")
  func reported() {
    var bus: LifecycleBus?
    let issues = reportedIssues { bus = LifecycleBus.application }
    expectNoDifference(issues.count, 1)
    let message = issues.first?.message ?? ""
    #expect(
      message.hasPrefix(
        "The test LifecycleSourcesTests.UnimplementedApplicationBusTests/reported()/"
      )
        && message.contains("UnimplementedApplicationBusTests.swift:10:"),
      "\(message)"
    )
    for remedy in [".lifecycle", "withApplication(_:operation:)", ".liveApplication"] {
      #expect(message.contains(remedy))
    }
    expectNoDifference(bus?.diagnostics.participants.isEmpty, true)
  }

  @Test("The issue fails the test")
  func fails() {
    withKnownIssue {
      _ = LifecycleBus.application
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("which is unimplemented in tests") }
    }
  }

  @Test("A replaced bus is not reported")
  func replaced() {
    let bus = LifecycleBus(clock: ManualClock())
    let issues = reportedIssues {
      LifecycleBus.withApplication(bus) { #expect(LifecycleBus.application === bus) }
    }
    expectNoDifference(issues, [])
  }

  @Test("A bus that is replaced for an asynchronous operation, whose value is returned")
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
}
