import LifecycleSources
import ReactiveLifecycle

@MainActor
final class NewsModel {
  private(set) var headlines: [String] = []
  private let load: () -> [String]
  private let scope = LifecycleScope("news")

  init(bus: LifecycleBus = .application, load: @escaping () -> [String]) {
    self.load = load
    refresh()
    bus.onReturn(in: scope) { [weak self] stay in
      if stay.duration >= .seconds(60) { self?.refresh() }
    }
  }

  func refresh() { headlines = load() }
}
