import LifecycleCombine
import ReactiveLifecycle

@MainActor
final class Headline {
  private(set) var text = ""
  private var cancellables: Set<AnyCancellable> = []

  init(of bus: LifecycleBus) {
    bus.phases
      .map { phase in phase == .active ? "Playing" : "Paused" }
      .removeDuplicates()
      .sink { [weak self] text in self?.text = text }
      .store(in: &cancellables)
  }
}
