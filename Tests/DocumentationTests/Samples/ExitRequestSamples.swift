import ReactiveLifecycle

/// The samples of exit requests, and of sources that are connected while somebody observes.
@MainActor
final class ExitRequestSamples {
  private(set) var output: [String] = []

  @MainActor
  final class Editor {
    var hasChanges = true
    var userSaves = true

    func askWhetherToSave() async -> Bool { userSaves }

    func mayClose(_ request: LifecycleExitRequest) async -> Bool { !hasChanges }

    func observe(_ bus: LifecycleBus) {
      bus.onExitRequest(self) { editor, request in
        await editor.mayClose(request) ? .exit : .cancel
      }
    }
  }

  final class Upload: Sendable {
    let isRunning = true

    func observe(_ bus: NonisolatedLifecycleBus) {
      bus.onExitRequest(self) { upload, _ in upload.isRunning ? .cancel : .exit }
    }
  }

  func observe(_ bus: LifecycleBus, _ editor: Editor, in scope: borrowing LifecycleScope) {
    let scope = copy scope
    bus.onExitRequest(in: scope) { request in
      guard editor.hasChanges, !request.isCancelled else { return .exit }
      return await editor.askWhetherToSave() ? .exit : .cancel
    }
  }

  func observeTwice(_ bus: LifecycleBus, _ editor: Editor) async -> LifecycleExitOutcome {
    let scope = LifecycleScope()
    let token = bus.onExitRequest { request in
      await editor.mayClose(request) ? .exit : .cancel
    }
    bus.onExitRequest(in: scope) { request in
      await editor.mayClose(request) ? .exit : .cancel
    }
    defer { token.cancel() }
    return await bus.requestExit()
  }

  func observeUpload(_ bus: NonisolatedLifecycleBus, _ upload: Upload) async -> LifecycleExitOutcome
  {
    let scope = LifecycleScope()
    let token = bus.onExitRequest { _ in upload.isRunning ? .cancel : .exit }
    bus.onExitRequest(in: scope) { _ in upload.isRunning ? .cancel : .exit }
    defer { token.cancel() }
    return await bus.requestExit()
  }

  func end(_ bus: LifecycleBus) async {
    func print(_ value: String) { output.append(value) }
    func quit() { output.append("quit") }
    let outcome = await bus.requestExit(timeout: .seconds(5))
    if outcome.isCancelled { print("cancelled by \(outcome.cancelledBy)") } else { quit() }
  }

  func observed(_ bus: LifecycleBus, _ sensor: some LifecycleSource) -> LifecycleCancellable {
    let connection = bus.connectWhileObserved(sensor, for: .didReceiveMemoryWarning)
    return connection
  }
}
