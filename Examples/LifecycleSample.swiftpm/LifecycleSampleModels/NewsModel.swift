import Observation
import ReactiveLifecycle

/// News that is loaded when the user opens the app, but not after less than a minute away.
@MainActor
@Observable
final class NewsModel {
  private(set) var headline = "Loading …"
  private let load: @MainActor () async -> String
  private let scope = LifecycleScope("news")

  init(bus: LifecycleBus, load: @escaping @MainActor () async -> String) {
    self.load = load
    bus.onOpen(in: scope, catchUp: .currentPhase) { [weak self] opening in
      if opening.isFirst || opening.timeInBackground >= .seconds(60) { self?.reload() }
    }
  }

  private func reload() {
    scope.task { [weak self, load] in
      let headline = await load()
      self?.headline = headline
    }
  }
}
