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

extension DependencyValues {
  private enum ContinuousClockKey: DependencyKey {
    static let liveValue: any Clock<Duration> = ContinuousClock()
    static var previewValue: any Clock<Duration> { liveValue }
    static var testValue: any Clock<Duration> { liveValue }
  }

  // As in swift-dependencies.
  var continuousClock: any Clock<Duration> {
    get { self[ContinuousClockKey.self] }
    set { self[ContinuousClockKey.self] = newValue }
  }
}

struct NewsFeature: Reducer {
  struct State: Equatable {
    var loads = 0
    var polls = 0
  }

  enum Action: Equatable {
    case task, opened, polled
  }

  @Dependency(\.lifecycle) private var bus
  @Dependency(\.continuousClock) private var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .task:
      return .merge(
        .run { [bus] send in
          for await _ in bus.openings.asyncSequence() { await send(.opened) }
        },
        .run { [bus, clock] send in
          try await bus.repeatWhile(.foreground) {
            while true {
              try await clock.sleep(for: .seconds(10))
              await send(.polled)
            }
          }
        }
      )
    case .opened: state.loads += 1
    case .polled: state.polls += 1
    }
    return .none
  }
}

@Test("A feature loads at each opening, and polls every ten seconds while it is visible")
@MainActor
func loadsAndPolls() async throws {
  let lifecycle = ScriptedLifecycle()
  let store = TestStore(initialState: NewsFeature.State()) {
    NewsFeature()
  } withDependencies: {
    $0.lifecycle = lifecycle.bus
    $0.continuousClock = lifecycle.bus.clock
  }
  let task = await store.send(.task)
  await lifecycle.perform(.launch, .becomeActive)
  await store.receive(.opened) { $0.loads = 1 }
  // A real `TestStore` brings this task to the main actor.
  try await lifecycle.clock.waitForSleepers()
  await lifecycle.perform(.advance(by: .seconds(30)))
  for polls in 1...3 {
    await store.receive(.polled) { $0.polls = polls }
  }
  await lifecycle.perform(.background(for: .seconds(90)))
  await store.receive(.opened) { $0.loads = 2 }
  await task.cancel()  // as the view does when it disappears
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
