import LifecycleCombine
import ReactiveLifecycle

@MainActor final class NearbyModel {
  private(set) var loads: [LifecycleInstant] = []
  private(set) var places: [String] = []
  private let scope = LifecycleScope("nearby")

  init(bus: LifecycleBus, visits: some Publisher<String, Never>) {
    bus.onOpen(in: scope) { [weak self] opening in
      self?.load(at: opening.instant)
    }
    visits.whilePhase(.foreground, of: bus)
      .sink { [weak self] in self?.places.append($0) }
      .store(in: scope)
  }

  private func load(at now: LifecycleInstant) {
    let age = loads.last?.duration(to: now) ?? .seconds(60)
    if age >= .seconds(60) { loads.append(now) }
  }
}
