import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle

@MainActor
private final class ListScreen {
  private var refreshes = 0
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

private struct Server {
  struct Connection: Sendable {
    func close() {}
    func warmUp() async {}
    func report(_ phase: LifecyclePhase) async {}
  }

  func open() throws -> Connection { Connection() }
}

@MainActor
private struct ServerSample {
  let bus: LifecycleBus

  func open(_ server: Server, in scope: LifecycleScope) throws {
    let connection = try server.open()
    scope.onEnd { connection.close() }
    scope.task { await connection.warmUp() }
    scope.task(for: bus.phases) { phases in
      for await phase in phases { await connection.report(phase) }
    }
  }
}

/// What loads, uploads or indexes.
private struct Part: Sendable {
  func upload(_ report: String) async throws {}
  func run() async {}
}

@MainActor
private func taskSamples(
  _ bus: LifecycleBus,
  in scope: LifecycleScope,
  client: Part,
  report: String,
  save: @escaping @MainActor () -> Void
) {
  let upload = scope.task { try await client.upload(report) }
  scope.end(when: .background, of: bus)
  bus.addObserver(in: LifecycleScope("screen")) { event in print(event) }
  for _ in 1...3 {
    bus.addObserver(for: .didEnterBackground, in: scope, id: "save") { _ in save() }
  }
  _ = upload
}

/// A model that observes in each of the ways of the articles.
@MainActor
private final class Model {
  private let scope = LifecycleScope("notes")

  init(bus: LifecycleBus) {
    scope.task(for: bus.events) { [weak self] events in
      for await event in events { self?.note(event.kind) }
    }
    scope.task { [weak self] in await self?.load() }

    bus.phases
      .sink { [weak self] phase in self?.print(phase) }
      .store(in: scope)

    bus.onOpen(in: scope) { [weak self] _ in
      self?.scope.task { await self?.download() }
    }

    bus.onOpen(self) { model, opening in model.load(at: opening.instant) }
    bus.onReturn(self) { model, stay in model.refresh(after: stay.timeAway) }

    bus.phases
      .map(\.isForeground)
      .removeDuplicates()
      .sink { [weak self] isForeground in self?.show(isForeground ? "in sight" : "out of sight") }
      .store(in: scope)
  }

  private func note(_ kind: LifecycleEvent.Kind) {}
  private func load() async {}
  private func load(at instant: LifecycleInstant) {}
  private func print(_ value: some Any) {}
  private func download() async {}
  private func refresh(after duration: Duration) {}
  private func show(_ text: String) {}
}

// MARK: With output

@MainActor
func firstEvents(print: Printer) {
  let clock = ManualClock()
  let bus = LifecycleBus(clock: clock)
  let scope = LifecycleScope("log")
  bus.addObserver(in: scope) { event in print(event) }
  bus.send(.didBecomeActive)
  bus.send(.didEnterBackground)
  bus.send(.didEnterBackground)  // a repetition: suppressed
  clock.advance(by: .seconds(90))
  bus.send(.didBecomeActive)
  scope.end()
}

@MainActor
func nestedScopes(_ bus: LifecycleBus, print: Printer) {
  let screen = LifecycleScope("screen")
  let request = LifecycleScope("request", parent: screen)
  bus.events.sink { event in print(event.kind) }.store(in: request)
  screen.end()
  print(request)  // scope "request" (ended)
}

@MainActor
func liveSubscriptions(_ bus: LifecycleBus, print: Printer) {
  for subscription in bus.diagnostics.liveSubscriptions {
    print("\(subscription.location), for \(subscription.age)")
  }
}
