import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Documentation samples of expectations run")
@MainActor
struct ExpectationSampleRuns {
  private let samples = ExpectationSamples()

  @Test("Expectations of view models hold")
  func viewModels() {
    samples.model()
    samples.overview()
    ExpectationSamples().value()
  }

  @Test("A screen that is gone leaves no subscription, and a view model is released")
  func nothingLeaks() {
    samples.noLiveSubscriptions()
    samples.noLiveSubscriptionsOfLifecycle()
    samples.released()
  }

  @Test("A scope that is kept leaves subscriptions")
  func scopeThatIsKeptLeavesSubscriptions() {
    let scope = LifecycleScope("kept")
    expectReportedIssue("still live") { samples.noLiveSubscriptions(in: scope) }
    expectReportedIssue("still live") { samples.noLiveSubscriptionsOfLifecycle(in: scope) }
  }
}
