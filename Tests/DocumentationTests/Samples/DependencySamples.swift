import DependenciesStandIn
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle
import Testing

// The section *With swift-dependencies* of LifecycleTestingTraits. What it imports there is
// `Dependencies`.

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
final class NewsFeedModel {
  @Dependency(\.lifecycle) private var bus
  private(set) var refreshes = 0
  private let scope = LifecycleScope("news")

  init() {
    bus.onReturn(in: scope) { [weak self] _ in self?.refreshes += 1 }
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
  #expect(feed.refreshes == 1)
}

func makeBusOfPreview() -> LifecycleBus {
  withDependencies {
    $0.context = .preview
  } operation: {
    Dependency(\.lifecycle).wrappedValue
  }
}

@MainActor
func makeNewsFeedWithoutDependency() -> NewsFeedModel {
  NewsFeedModel()
}
