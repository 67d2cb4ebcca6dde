import Observation
import ReactiveLifecycle

/// News that is loaded when the user opens the app, and it is a minute old or older.
@MainActor
@Observable
final class NewsModel {
  private(set) var headline: String?
  private var loaded: LifecycleInstant?
  private let load: @MainActor () async -> String
  private let scope = LifecycleScope("news")

  init(bus: LifecycleBus, load: @escaping @MainActor () async -> String) {
    self.load = load
    bus.onOpen(in: scope) { [weak self, clock = bus.clock] _ in
      self?.reload(at: clock.now)
    }
  }

  private func reload(at now: LifecycleInstant) {
    if let loaded, loaded.duration(to: now) < .seconds(60) { return }
    loaded = now
    scope.task { [weak self, load] in
      let headline = await load()
      self?.headline = headline
    }
  }
}
