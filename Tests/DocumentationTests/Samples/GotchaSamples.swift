import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle

/// The samples of the article *Gotchas*. What they print is collected.
@MainActor
final class GotchaSamples {
  private(set) var count = 0
  private(set) var output: [String] = []
  let clock = ManualClock()
  let bus: LifecycleBus
  let scope = LifecycleScope("screen")

  init() {
    bus = LifecycleBus(clock: clock)
  }

  func print(_ value: some Any) { output.append("\(value)") }
  private func reload() { print("reloaded") }

  func weakSink() {
    bus.phases
      .sink { [weak self] phase in self?.print(phase) }
      .store(in: scope)
  }

  func onceLaunched() async throws {
    try await bus.waitUntil(.atLeast(.background))  // launched
    try await bus.waitUntil(.atMost(.background))
    print(bus.phase)
  }

  func everyOpening() {
    bus.addObserver(for: .willEnterForeground, in: scope) { [weak self] event in
      if event.backgroundStay == nil { self?.print("opened") } else { self?.reload() }
    }
  }

  func asyncWork() {
    bus.onReturn(in: scope) { [weak self] _ in
      Task { await self?.download() }
    }
  }

  let downloads = AsyncStream.makeStream(of: Void.self)

  private func download() async {
    print("downloaded")
    downloads.continuation.yield()
  }
}
