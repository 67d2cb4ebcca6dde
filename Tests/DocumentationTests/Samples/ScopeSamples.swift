import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle

/// The samples of the article *Scopes*. What they print is collected.
@MainActor
final class ScopeSamples {
  private(set) var output: [String] = []
  let clock = ManualClock()
  let bus: LifecycleBus

  init() {
    bus = LifecycleBus(clock: clock)
  }

  /// A screen that appears and disappears.
  @MainActor
  final class ListScreen {
    private(set) var refreshes = 0
    private let bus: LifecycleBus
    private var scope: LifecycleScope?

    init(bus: LifecycleBus) { self.bus = bus }

    func viewWillAppear() {
      let scope = LifecycleScope("list")
      bus.onReturn(in: scope) { [weak self] _ in self?.refreshes += 1 }
      self.scope = scope
    }

    func viewDidDisappear() {
      scope?.end()
    }
  }

  /// A screen whose observer captures it strongly, so that it is never released.
  @MainActor
  final class LeakingScreen {
    private let scope = LifecycleScope("list")

    init(bus: LifecycleBus) {
      bus.addObserver(in: scope, fileID: "App/ListScreen.swift", line: 12) { _ in self.reload() }
    }

    private func reload() {}
  }

  func nesting() {
    func print(_ value: some Any) { output.append("\(value)") }
    let screen = LifecycleScope("screen")
    let request = LifecycleScope("request", parent: screen)
    bus.events.sink { event in print(event.kind) }.store(in: request)
    screen.end()
    print(request)  // scope "request" (ended)
  }

  func temporary() {
    func print(_ value: some Any) { output.append("\(value)") }
    bus.addObserver(in: LifecycleScope("screen")) { event in print(event) }
  }

  func sameObserverAgain(_ scope: LifecycleScope) {
    func save() { output.append("saved") }
    for _ in 1...3 {
      bus.addObserver(for: .didEnterBackground, in: scope, id: "save") { _ in save() }
    }
  }

  func leak() {
    func print(_ value: some Any) { output.append("\(value)") }
    _ = LeakingScreen(bus: bus)
    clock.advance(by: .seconds(90))
    for subscription in bus.liveSubscriptions {
      print("\(subscription.location), for \(subscription.age)")
    }
  }
}
