import Observation
import ReactiveLifecycle

/// News that is loaded when the user opens the app, but not after less than a minute away.
@MainActor
@Observable
final class NewsModel {
  private(set) var headline: String?
  private let load: @MainActor () async -> String
  private let scope = LifecycleScope("news")

  init(bus: LifecycleBus, load: @escaping @MainActor () async -> String) {
    self.load = load
    bus.onOpen(in: scope, catchUp: .currentPhase) { [weak self] opening in
      self?.reload(at: opening)
    }
  }

  private func reload(at opening: LifecycleOpening) {
    guard headline == nil || opening.timeInBackground >= .seconds(60) else { return }
    scope.task { [weak self, load] in
      let headline = await load()
      self?.headline = headline
    }
  }
}
