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

/// What the samples take for granted.
private struct Location {
  let updates = PassthroughSubject<String, Never>()
}

private func show(_ value: some CustomStringConvertible) {}
private func start(_ upload: String) {}
private func report(_ beat: Int) {}
private func insert(_ key: Character) {}
private func log(_ request: String, isForeground: Bool) {}
private func setConnected(_ isConnected: Bool) {}

@MainActor
private func operatorSamples(
  _ bus: LifecycleBus,
  in scope: LifecycleScope,
  prices: PassthroughSubject<Int, Never>,
  uploads: PassthroughSubject<String, Never>,
  location: Location,
  heartbeat: CurrentValueSubject<Int, Never>,
  keystrokes: PassthroughSubject<Character, Never>,
  requests: PassthroughSubject<String, Never>
) {
  prices.gate(.foreground, of: bus, buffering: .latest)
    .sink { price in show(price) }
    .store(in: scope)

  uploads.gate(
    .background,
    of: bus,
    buffering: .all(limit: 100, whenFull: .dropOldest)
  )
  .sink { upload in start(upload) }
  .store(in: scope)

  location.updates.whilePhase(.foreground, of: bus)
    .sink { place in show(place) }
    .store(in: scope)

  heartbeat.whilePhase(.background, of: bus)
    .sink { beat in report(beat) }
    .store(in: scope)

  bus.phases.settle(for: .seconds(2))
    .map { phase in phase.isActive }
    .removeDuplicates()
    .sink { isActive in setConnected(isActive) }
    .store(in: scope)

  let end = bus.publisher(for: [.didEnterBackground, .willTerminate]).first()
  keystrokes.prefix(untilOutputFrom: end)
    .sink { key in insert(key) }
    .store(in: scope)

  requests.map { request in (request, bus.phase) }
    .sink { request, phase in log(request, isForeground: phase.isForeground) }
    .store(in: scope)
}
