import Observation
import ReactiveLifecycle

/// News that is loaded if it is a minute old or older: its view calls `load` when the user comes.
@MainActor
@Observable
final class NewsModel {
  private(set) var headline: String?
  private var loaded: LifecycleInstant?
  private let clock: any LifecycleClock
  private let fetch: @MainActor () async -> String

  init(clock: any LifecycleClock, fetch: @escaping @MainActor () async -> String) {
    self.clock = clock
    self.fetch = fetch
  }

  func load() async {
    let now = clock.now
    if let loaded, loaded.duration(to: now) < .seconds(60) { return }
    headline = await fetch()
    loaded = now
  }
}
