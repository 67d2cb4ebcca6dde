import ReactiveLifecycle

@MainActor
final class NewsModel {
  private(set) var headlines: [String] = []
  private var loaded: LifecycleInstant?
  private let load: () -> [String]
  private let scope = LifecycleScope("news")

  init(bus: LifecycleBus = .application, load: @escaping () -> [String]) {
    self.load = load
    bus.onOpen(in: scope) { [weak self, clock = bus.clock] _ in
      self?.refresh(at: clock.now)
    }
  }

  private func refresh(at now: LifecycleInstant) {
    if let loaded, loaded.duration(to: now) < .seconds(60) { return }
    (headlines, loaded) = (load(), now)
  }
}
