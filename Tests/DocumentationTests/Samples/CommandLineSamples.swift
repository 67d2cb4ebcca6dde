import LifecycleBackgroundWork
import LifecycleJournaling
import LifecycleSources
import LifecycleSystem
import ReactiveLifecycle
import Synchronization

/// The samples of a command-line program, with parts that count what is asked of them.
struct CommandLineSamples: Sendable {
  /// A part of the program.
  final class Part: Sendable {
    private let count = Mutex(0)

    var calls: Int { count.withLock { $0 } }

    func call() { count.withLock { $0 += 1 } }

    func removePartialFile() { call() }
    func copyAll() async throws { call() }
    func redraw() { call() }
    func refresh() { call() }
    func reload() { call() }
    func record(_ event: LifecycleEvent) { call() }

    /// Draws the next picture; the first one stays until the task is cancelled.
    func advance() async throws {
      call()
      try await Task.sleep(for: .seconds(86_400))
    }
  }

  let bus: NonisolatedLifecycleBus
  let scope: LifecycleScope
  let part = Part()

  func connect() throws -> LifecyclePhase {
    let bus = NonisolatedLifecycleBus()
    let connection = try bus.connect(.processSignals())
    defer { connection.cancel() }
    return bus.phase
  }

  func leaveNothingHalfDone() {
    let download = part
    bus.addObserver(for: .willTerminate, in: scope) { event in
      download.removePartialFile()
      print("Removed the partial file after \(event.metadata["signal"] ?? "the end").")
    }
  }

  func endWithSignal() async {
    let log = part
    for await event in bus.events.asyncSequence() { log.record(event) }
    await ProcessSignalSource.waitForEnd()
  }

  func finishWork() async throws {
    let copier = part
    let tasks = BackgroundTaskCoordinator(host: .process(grace: .seconds(20), delaying: .end))
    try await withBackgroundTask(named: "copy", tasks: tasks) {
      try await copier.copyAll()
    }
  }

  func askBeforeEnd(_ editor: Editor) throws -> LifecycleCancellable {
    bus.onExitRequest(in: scope) { _ in
      await editor.hasUnsavedChanges ? .cancel : .exit
    }
    let connection = try bus.connect(
      .processSignals(termination: .reraise.asking(within: .seconds(30)))
    )
    return connection
  }

  /// A document that may have changes.
  actor Editor {
    var hasUnsavedChanges = true

    func save() { hasUnsavedChanges = false }
  }

  func continueAfterStop(_ prices: Part) {
    let screen = part
    bus.onReturn(in: scope) { stay in
      screen.redraw()
      if stay.duration > .seconds(60) { prices.refresh() }
    }
  }

  func doLessInBackground() async throws {
    let spinner = part
    try await bus.repeatWhile(.atLeast(.inactive)) {
      while !Task.isCancelled { try await spinner.advance() }
    }
  }

  func chooseSignals() throws -> LifecycleCancellable {
    let settings = part
    bus.addObserver(for: .reloadRequest, in: scope) { _ in settings.reload() }
    let connection = try bus.connect(
      .processSignals(taking: [.terminate, .interrupt], reload: .hangUp)
    )
    return connection
  }

  func noticeMachine() throws {
    print(try bus.connectSystem(in: scope))
  }

  func knowPreviousRun(_ path: String) throws -> LifecycleJournal.PreviousExit {
    let journal = try LifecycleJournal(at: path, of: bus)
    if journal.previousRun.exit == .killedInForeground { print("The last run crashed.") }
    return journal.previousRun.exit
  }
}
