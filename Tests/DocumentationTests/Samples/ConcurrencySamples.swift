import ReactiveLifecycle

/// Devices, documents and servers, as the samples have them. Each says what was done with it.
@MainActor
struct ConcurrencySurroundings {
  final class Transcript {
    var lines: [String] = []
  }

  private let transcript = Transcript()
  var output: [String] { transcript.lines }
  /// A value each time something is shown.
  let shown = AsyncStream.makeStream(of: Void.self)

  func print(_ value: Any) { transcript.lines.append("\(value)") }
  func show(_ value: Any) {
    transcript.lines.append("showing \(value)")
    shown.continuation.yield()
  }

  struct Window { let size = 600 }

  struct Sensor {
    let readings = AsyncStream<Int> { continuation in
      continuation.yield(20)
      continuation.yield(21)
      continuation.finish()
    }
  }

  struct Part: Sendable {
    let did: @Sendable (String) -> Void

    func save() throws { did("saved") }
    func shrink() async throws { did("shrunk") }
    func flush() { did("flushed") }
    func open() throws -> Int { 80 }
    func acceptConnections() async throws { did("accepting") }
    func compactDatabase() async throws { did("compacted") }
    func releaseDevice() { did("released") }

    /// Lasts until it is cancelled.
    func record() async throws {
      did("recording")
      let (endless, continuation) = AsyncStream.makeStream(of: Never.self)
      for await _ in endless {}
      withExtendedLifetime(continuation) {}
    }
  }

  let window = Window()
  let sensor = Sensor()

  func loop(_ bus: LifecycleBus) async {
    for await event in bus.events.asyncSequence() {
      print(event.kind)
    }
  }

  func wait(_ bus: LifecycleBus) async throws {
    try await bus.waitUntil(.atLeast(.active))
    print(bus.phase)
    bus.send(.didEnterBackground)
    try await bus.waitUntil(.atMost(.background))
    print(bus.phase)
  }

  func waitWeakly(_ bus: LifecycleBus) -> Task<Void?, any Error> {
    let task = Task { [weak bus] in
      try await bus?.waitUntil(.atLeast(.active))
    }
    return task
  }

  func sendFromObserver(_ bus: LifecycleBus, in scope: LifecycleScope) {
    bus.addObserver(for: .didEnterBackground, in: scope) { [weak bus] event in
      guard let bus else { return }
      print(bus.send(.documentDidSave))
      print("\(event.kind), \(bus.phase)")
    }
    bus.addObserver(for: [.documentDidSave], in: scope) { event in print(event.kind) }
    bus.send(.didEnterBackground)
  }

  func ended(_ bus: LifecycleBus) async throws {
    do {
      try await bus.waitUntil(.atLeast(.active))
    } catch let error as LifecycleBusEndedError {
      print(error)
    }
  }

  func performInSight(_ bus: LifecycleBus) async throws {
    let size = try await bus.perform(when: .atLeast(.inactive)) { window.size }
    print(size)
  }

  func performOutOfSight(_ bus: LifecycleBus, _ document: Part) async throws {
    try await bus.perform(when: .atMost(.background)) { try document.save() }
  }

  func whileActive(_ bus: LifecycleBus) async throws {
    try await bus.repeatWhile(.atLeast(.active)) {
      for await reading in sensor.readings { show(reading) }
    }
  }

  func whileOutOfSight(_ bus: LifecycleBus, _ cache: Part) async throws {
    try await bus.repeatWhile(.atMost(.background)) {
      try await cache.shrink()
    }
  }

  func recording(_ bus: LifecycleBus, _ camera: Part) async throws {
    try await bus.repeatWhile(.atLeast(.active)) {
      try await withTaskCancellationHandler {
        try await camera.record()
      } onCancel: {
        camera.releaseDevice()
      }
    }
  }
}

/// A server's part of the samples.
struct ConcurrencyServer: Sendable {
  let server: ConcurrencySurroundings.Part

  func whileRunning(_ bus: NonisolatedLifecycleBus) async throws {
    try await bus.repeatWhile(.atLeast(.background)) {
      try await server.acceptConnections()
    }
  }

  func whileIdle(_ bus: NonisolatedLifecycleBus) async throws {
    try await bus.repeatWhile(.atMost(.background)) {
      try await server.compactDatabase()
    }
  }

  func port(_ bus: NonisolatedLifecycleBus) async throws -> Int {
    let port = try await bus.perform(when: .atLeast(.background)) { try server.open() }
    return port
  }

  func flush(_ bus: NonisolatedLifecycleBus) async throws {
    try await bus.perform(when: .atMost(.background)) { server.flush() }
  }
}
