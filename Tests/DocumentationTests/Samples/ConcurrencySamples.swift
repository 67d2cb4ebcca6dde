import ReactiveLifecycle

private struct Sensor {
  let readings = AsyncStream<Int> { $0.finish() }
}

/// A document, a camera, or a server of a sample.
private struct Part: Sendable {
  func save() throws {}
  func record() async throws {}
  func releaseDevice() {}
  func open() throws -> Int { 80 }
  func acceptConnections() async throws {}
}

private func show(_ reading: Int) {}

@MainActor
private func waitingSamples(
  _ bus: LifecycleBus,
  sensor: Sensor,
  document: Part,
  camera: Part
) async throws {
  for await event in bus.events.asyncSequence() {
    print(event.kind)
  }

  do {
    try await bus.waitUntil(.atLeast(.active))
  } catch let error as LifecycleBusEndedError {
    print(error)
  }

  let task = Task { [weak bus] in
    try await bus?.waitUntil(.atLeast(.active))
  }
  _ = task

  try await bus.waitUntil(.atLeast(.background))  // launched
  try await bus.waitUntil(.atMost(.background))

  try await bus.perform(when: .atMost(.background)) { try document.save() }

  try await bus.repeatWhile(.atLeast(.active)) {
    for await reading in sensor.readings { show(reading) }
  }

  try await bus.repeatWhile(.atLeast(.active)) {
    try await withTaskCancellationHandler {
      try await camera.record()
    } onCancel: {
      camera.releaseDevice()
    }
  }
}

private func serverSamples(_ bus: NonisolatedLifecycleBus, _ server: Part) async throws {
  let port = try await bus.perform(when: .atLeast(.background)) { try server.open() }
  _ = port

  try await bus.repeatWhile(.atLeast(.background)) {
    try await server.acceptConnections()
  }
}

@MainActor
func sendFromObserver(print: Printer) {
  let bus = LifecycleBus()
  let scope = LifecycleScope()
  bus.addObserver(for: .didEnterBackground, in: scope) { [weak bus] event in
    guard let bus else { return }
    print(bus.send(.documentDidSave))
    print("\(event.kind), \(bus.phase)")
  }
  bus.addObserver(for: [.documentDidSave], in: scope) { event in print(event.kind) }
  bus.send(.didEnterBackground)
  scope.end()
}
