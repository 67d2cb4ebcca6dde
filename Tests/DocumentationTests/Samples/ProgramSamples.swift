import LifecycleBackgroundWork
import LifecycleJournaling
import LifecycleProcess
import LifecycleSystem
import LifecycleTerminal
import ReactiveLifecycle

/// A part of a program.
private struct Part: Sendable {
  func removePartialFile() {}
  func record(_ event: LifecycleEvent) {}
  func copyAll() async throws {}
  func redraw() {}
  func refresh() {}
  func advance() async throws {}
  func flush() {}
  func reload() {}
}

private actor Editor {
  var hasUnsavedChanges = true

  func mayClose() -> Bool { true }
}

// MARK: A command-line program

private func commandLineSamples(
  _ bus: NonisolatedLifecycleBus,
  in scope: LifecycleScope,
  log: Part,
  copier: Part,
  spinner: Part,
  editor: Editor
) async throws {
  do {
    let bus = NonisolatedLifecycleBus()
    try bus.connect(.processSignals(), in: scope)
    _ = bus
  }
  for await event in bus.events.asyncSequence() { log.record(event) }
  await ProcessSignalSource.waitForEnd()
  #if os(macOS) || !canImport(Darwin)
    do {
      let tasks = BackgroundTaskCoordinator(host: .process(grace: .seconds(20), delaying: .end))
      try await withBackgroundTask(named: "copy", tasks: tasks) {
        try await copier.copyAll()
      }
      await ProcessSignalSource.waitForEnd()
    }
  #endif
  bus.onExitRequest(in: scope) { _ in
    await editor.hasUnsavedChanges ? .cancel : .exit
  }
  try bus.connect(.processSignals(asking: .seconds(30)), in: scope)
  try await bus.repeatWhile(.foreground) {
    while !Task.isCancelled { try await spinner.advance() }
  }
}

private func commandLineSamples(
  _ bus: NonisolatedLifecycleBus,
  in scope: LifecycleScope,
  download: Part,
  screen: Part,
  prices: Part,
  settings: Part,
  path: String
) throws {
  bus.addObserver(for: .willTerminate, in: scope) { event in
    download.removePartialFile()
    print("Removed the partial file after \(event.metadata["signal"] ?? "the end").")
  }
  bus.onReturn(in: scope) { stay in
    screen.redraw()
    if stay.timeAway > .seconds(60) { prices.refresh() }
  }
  bus.addObserver(for: .reloadRequest, in: scope) { _ in settings.reload() }
  try bus.connect(
    .processSignals(taking: [.terminate, .interrupt], reload: .hangUp)
  )
  .store(in: scope)
  print(try bus.connectSystem(in: scope))
  let journal: LifecycleJournal
  journal = try LifecycleJournal(at: path, of: bus)
  if journal.previousRun.exit == .killedInForeground { print("The last run crashed.") }
  withExtendedLifetime(journal) {}
}

// MARK: Signals

private func signalSamples(in scope: LifecycleScope) throws {
  do {
    let daemon: ProcessSignalSource.Signals = [.terminate, .interrupt, .hangUp]
    _ = daemon
  }
  do {
    let daemon = ProcessSignalSource.processSignals(taking: [.terminate, .interrupt, .hangUp])
    _ = daemon
  }
  let bus = NonisolatedLifecycleBus()
  try bus.connect(.processSignals(deadline: .seconds(2), termination: .observe), in: scope)
}

@MainActor
private func mainActorSignalSample(in scope: LifecycleScope) throws {
  let bus = LifecycleBus()
  try bus.connect(.processSignals(), in: scope)
}

private func log(_ text: String) {}

private func serverSamples(_ server: Part, in scope: LifecycleScope) throws {
  do {
    let bus = NonisolatedLifecycleBus()
    bus.addObserver(for: .willTerminate, in: scope) { event in
      log("ends by \(event.metadata["signal"] ?? "itself")")
      server.flush()
    }
    try bus.connect(.processSignals(deadline: .seconds(8)), in: scope)
  }
  let bus = NonisolatedLifecycleBus()
  bus.addObserver(for: .reloadRequest, in: scope) { _ in server.reload() }
  try bus.connect(.processSignals(reload: .hangUp), in: scope)
}

private func askingSamples(
  _ bus: NonisolatedLifecycleBus,
  _ editor: Editor,
  in scope: LifecycleScope,
  record: (LifecycleEvent) -> Void
) async throws {
  bus.onExitRequest(in: scope) { _ in await editor.mayClose() ? .exit : .cancel }
  try bus.connect(.processSignals(asking: .seconds(30)), in: scope)
  for await event in bus.events.asyncSequence() { record(event) }
  await ProcessSignalSource.waitForEnd()
}

// MARK: The system

@MainActor private final class Cache {
  func removeAll() {}
}

@MainActor
private func systemSamples(
  _ bus: LifecycleBus,
  in scope: LifecycleScope,
  cache: Cache
) throws {
  if case .unavailable(let reason) = MemoryPressureSource.memoryPressure().availability {
    print("no memory warnings: \(reason)")
  }
  do {
    try bus.connect(.systemClock(), in: scope)
    bus.addObserver(for: [.systemDidWake], in: scope) { event in
      print("slept for \(event.timeAsleep ?? .zero)")
    }
  }
  do {
    try bus.connect(.processPauses(heartbeat: .seconds(1)), in: scope)
    bus.addObserver(for: [.processWasPaused], in: scope) { event in
      print("paused for \(event.timePaused ?? .zero): \(event.pauseCause ?? .unknown)")
    }
  }
  do {
    try bus.connect(.processPauses(), in: scope)
  }
  try bus.connect(.memoryPressure(), in: scope)
  bus.addObserver(for: [.didReceiveMemoryWarning], in: scope) { event in
    if event.memoryPressure ?? .critical >= .medium { cache.removeAll() }
  }
}

@MainActor
private func connectSystemSample(in scope: LifecycleScope) throws {
  let bus = LifecycleBus()
  try bus.connect(.processSignals(), in: scope)
  print(try bus.connectSystem(in: scope))
}

// MARK: The terminal

@MainActor
private func terminalSessionSample(
  _ bus: LifecycleBus,
  in scope: LifecycleScope,
  draw: ([UInt8]) -> Void
) async throws {
  let terminal = try TerminalSession()
  try bus.connect(terminal.focus, as: .ceiling, in: scope)
  for await bytes in terminal.input {
    if bytes.contains(UInt8(ascii: "q")) { break }
    draw(bytes)
  }
  terminal.close()
}
