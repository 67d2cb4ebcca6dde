import LifecycleSources
import ReactiveLifecycle

@MainActor
final class NewsModel {
  private(set) var headlines: [String] = []
  private let load: () -> [String]
  private let scope = LifecycleScope("news")

  init(bus: LifecycleBus = .application, load: @escaping () -> [String]) {
    self.load = load
    bus.onOpen(in: scope, catchUp: .currentPhase) { [weak self] in self?.refresh(at: $0) }
  }

  private func refresh(at opening: LifecycleOpening) {
    if headlines.isEmpty || opening.timeInBackground >= .seconds(60) { headlines = load() }
  }
}
