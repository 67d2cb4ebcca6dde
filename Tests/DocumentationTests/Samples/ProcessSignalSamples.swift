import LifecycleSources
import ReactiveLifecycle

@MainActor
func processSignalsSample() throws -> LifecyclePhase {
  let bus = LifecycleBus()
  let connection = try bus.connect(.processSignals())
  defer { connection.cancel() }
  return bus.phase
}

func observedProcessSignalsSample() throws -> LifecyclePhase {
  let bus = NonisolatedLifecycleBus()
  let connection = try bus.connect(.processSignals(deadline: .seconds(2), termination: .observe))
  defer { connection.cancel() }
  return bus.phase
}

func chosenSignalsSample() -> ProcessSignalSource.Signals {
  let daemon: ProcessSignalSource.Signals = [.terminate, .interrupt, .hangUp]
  return daemon
}

func chosenSignalsSourceSample() -> ProcessSignalSource {
  let daemon = ProcessSignalSource.processSignals(taking: [.terminate, .interrupt, .hangUp])
  return daemon
}

/// Reloads as SIGHUP would have it reload, without a signal.
func reloadSample(_ server: ServerSample) throws {
  let (bus, scope) = (NonisolatedLifecycleBus(), LifecycleScope("server"))
  bus.addObserver(for: .reloadRequest, in: scope) { _ in server.reload() }
  let connection = try bus.connect(.processSignals(reload: .hangUp))
  bus.send(.reloadRequest, metadata: ["signal": "SIGHUP"])
  connection.cancel()
}

/// An editor that asks its user.
actor EditorSample {
  private let answer: Bool
  init(mayClose answer: Bool) { self.answer = answer }
  func mayClose() -> Bool { answer }
}

func askingSample(_ editor: EditorSample) async throws -> Bool {
  let (bus, scope) = (NonisolatedLifecycleBus(), LifecycleScope("editor"))
  bus.onExitRequest(in: scope) { _ in await editor.mayClose() ? .exit : .cancel }
  let connection = try bus.connect(
    .processSignals(termination: .reraise.asking(within: .seconds(30)))
  )
  defer { connection.cancel() }
  return await bus.requestExit().isCancelled
}

func waitForEndSample(_ bus: NonisolatedLifecycleBus, record: (LifecycleEvent) -> Void) async {
  for await event in bus.events.asyncSequence() { record(event) }
  await ProcessSignalSource.waitForEnd()
}
