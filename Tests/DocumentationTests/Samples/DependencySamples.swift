import LifecycleTesting
import LifecycleTestingTraits
import ReactiveLifecycle
import Testing

@MainActor
private final class FeedModel {
  private(set) var refreshes = 0
  private let scope = LifecycleScope("feed")

  init(bus: LifecycleBus = .application) {
    bus.onReturn(in: scope) { [weak self] stay in
      if stay.timeAway > .seconds(60) { self?.refreshes += 1 }
    }
  }
}

@Test("Refreshes after a minute away", .lifecycle)
@MainActor
func refreshesAfterMinuteAway() {
  let feed = FeedModel()
  let application = ScriptedLifecycle.application
  application.perform(.launch, .becomeActive, .background(for: .seconds(90)))
  #expect(feed.refreshes == 1)
}

@MainActor
private func applicationSample() {
  ScriptedLifecycle.application.perform(.launch, .becomeActive)
}

// MARK: With swift-dependencies

private enum LifecycleBusKey: DependencyKey {
  static var liveValue: LifecycleBus { .application }
  static var previewValue: LifecycleBus { LifecycleBus() }
  static var testValue: LifecycleBus { .application }
}

extension DependencyValues {
  var lifecycle: LifecycleBus {
    get { self[LifecycleBusKey.self] }
    set { self[LifecycleBusKey.self] = newValue }
  }
}

@MainActor
private final class NewsFeedModel {
  @Dependency(\.lifecycle) private var bus
  private(set) var refreshes = 0
  private let scope = LifecycleScope("news")

  init() {
    bus.onOpen(in: scope) { [weak self] _ in self?.refreshes += 1 }
  }
}

@Test("A model refreshes with the bus that is its dependency")
@MainActor
func refreshesWithDependency() {
  let lifecycle = ScriptedLifecycle()
  let feed = withDependencies {
    $0.lifecycle = lifecycle.bus
  } operation: {
    NewsFeedModel()
  }
  lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(90)))
  #expect(feed.refreshes == 2)
}
