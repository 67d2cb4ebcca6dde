import LifecycleSources
import ReactiveLifecycle

@MainActor
final class NewsModel {
  private(set) var headlines: [String] = []
  private var loaded: LifecycleInstant?
  private let load: () -> [String]
  private let scope = LifecycleScope("news")

  init(bus: LifecycleBus = .application, load: @escaping () -> [String]) {
    self.load = load
    bus.onOpen(in: scope, catchUp: .currentPhase) { [weak self] in self?.refresh(at: $0.instant) }
  }

  private func refresh(at opening: LifecycleInstant) {
    if let loaded, loaded.duration(to: opening) < .seconds(60) { return }
    (headlines, loaded) = (load(), opening)
  }
}
