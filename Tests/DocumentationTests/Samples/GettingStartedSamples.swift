import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle

/// The samples of the article *Getting started*. What they print is collected.
@MainActor
final class GettingStartedSamples {
  private(set) var output: [String] = []

  private func show(_ text: String) { output.append(text) }
  func refresh(after duration: Duration) { output.append("refreshed after \(duration)") }

  func path() {
    func print(_ event: LifecycleEvent) { output.append("\(event)") }
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let scope = LifecycleScope("log")
    bus.addObserver(in: scope) { event in print(event) }

    bus.send(.didBecomeActive)
    bus.send(.didEnterBackground)
    bus.send(.didEnterBackground)  // a repetition: suppressed
    clock.advance(by: .seconds(90))
    bus.send(.didBecomeActive)
    scope.end()
  }

  func owner(_ bus: LifecycleBus) {
    bus.onReturn(self) { model, stay in model.refresh(after: stay.duration) }
  }

  func publisher(_ bus: LifecycleBus, in scope: LifecycleScope) {
    bus.phases
      .map(\.isForeground)
      .removeDuplicates()
      .sink { [weak self] isForeground in self?.show(isForeground ? "in sight" : "out of sight") }
      .store(in: scope)
  }
}
