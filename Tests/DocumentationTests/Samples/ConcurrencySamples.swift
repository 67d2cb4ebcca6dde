import ReactiveLifecycle

private struct Sensor {
  var readings: AsyncStream<Int> { AsyncStream { $0.finish() } }
}

/// A camera of a sample.
private struct Camera: Sendable {
  func record() async throws {}
  func releaseDevice() {}
}

private func show(_ reading: Int) {}

@MainActor
private func waitingSamples(
  _ bus: LifecycleBus,
  sensor: Sensor,
  camera: Camera
) async throws {
  for await event in bus.events.asyncSequence() {
    print(event.kind)
  }

  do {
    try await bus.waitUntil(.active)
  } catch let error as LifecycleBusEndedError {
    print(error)
  }

  let task = Task { [weak bus] in
    try await bus?.waitUntil(.active)
  }
  _ = task

  try await bus.waitUntil(.foreground)
  try await bus.waitUntil(.background)

  try await bus.repeatWhile(.foreground) {
    for await reading in sensor.readings { show(reading) }
  }

  try await bus.repeatWhile(.foreground) {
    try await withTaskCancellationHandler {
      try await camera.record()
    } onCancel: {
      camera.releaseDevice()
    }
  }
}

@MainActor
private func backgroundSample(_ bus: LifecycleBus, in scope: LifecycleScope, camera: Camera) {
  bus.addObserver(
    for: [.didFinishLaunching, .didEnterBackground],
    in: scope,
    catchUp: .currentPhase
  ) { _ in camera.releaseDevice() }
}

@MainActor
private func protectedDataSample(
  _ bus: LifecycleBus,
  _ readSettings: () throws -> [String]
) async throws -> [String] {
  while true {
    do {
      return try readSettings()
    } catch {
      if bus.isProtectedDataAvailable { throw error }
      try await bus.waitForProtectedData()
    }
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
