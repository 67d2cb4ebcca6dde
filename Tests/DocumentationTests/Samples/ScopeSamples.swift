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

  /// A server whose connections say what is done with them.
  struct Server {
    let log = Log()

    final class Log: Sendable {
      private let (stream, continuation) = AsyncStream.makeStream(of: String.self)
      func add(_ line: String) { continuation.yield(line) }
      func next() async -> String? { await stream.first { _ in true } }
    }

    struct Connection: Sendable {
      let log: Log
      func close() { log.add("closed") }
      func warmUp() async { log.add("warm") }
      func report(_ phase: LifecyclePhase) async { log.add("\(phase)") }
    }

    func open() throws -> Connection { Connection(log: log) }
  }

  func open(_ server: Server, in scope: LifecycleScope) throws {
    let connection = try server.open()
    scope.onEnd { connection.close() }
    scope.task { await connection.warmUp() }
    scope.task(for: bus.phases) { phases in
      for await phase in phases { await connection.report(phase) }
    }
  }

  func atAPhase(_ scope: LifecycleScope) {
    scope.end(when: .atMost(.background), of: bus)
  }

  /// A model that loads, and notes what happens.
  @MainActor
  final class NoteModel {
    private(set) var kinds: [LifecycleEvent.Kind] = []
    private let scope = LifecycleScope("notes")

    init(bus: LifecycleBus) {
      scope.task(for: bus.events) { [weak self] events in
        for await event in events { self?.note(event.kind) }
      }
      scope.task { [weak self] in await self?.load() }
    }

    private func note(_ kind: LifecycleEvent.Kind) { kinds.append(kind) }
    private func load() async { kinds.append("loaded") }
  }

  struct Client {
    func upload(_ report: String) async throws -> String { "uploaded \(report)" }
  }

  func upload(_ client: Client, _ report: String, in scope: LifecycleScope) async throws -> String {
    let upload = scope.task { try await client.upload(report) }
    return try await upload.value
  }

  struct Indexer {
    let log: Server.Log
    func run() async { log.add("indexed") }
  }

  func index(_ indexer: Indexer, on executor: any TaskExecutor, in scope: LifecycleScope) {
    Task(executorPreference: executor) { await indexer.run() }.store(in: scope)
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
