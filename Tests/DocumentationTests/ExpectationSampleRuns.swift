import CustomDump
import LifecycleTesting
import ReactiveLifecycle
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
  func leaks() {
    samples.noLiveSubscriptions()
    samples.noLiveSubscriptionsOfLifecycle()
    samples.released()
  }

  @Test("A scope that is kept leaves subscriptions")
  func leak() {
    let scope = LifecycleScope("kept")
    withKnownIssue { samples.noLiveSubscriptions(in: scope) }
    withKnownIssue { samples.noLiveSubscriptionsOfLifecycle(in: scope) }
  }
}
