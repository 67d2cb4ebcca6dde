import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import Testing

struct FileUpload: Codable {
  var file: String
  var version: Int
}

@MainActor final class Uploads {
  private var running: Set<String> = []
  private var handlers: [() -> Void] = []

  /// Returns whether to start the upload: not if one of the same file runs, whose end decides.
  func begin(_ upload: FileUpload) -> Bool { running.insert(upload.file).inserted }
  func end(_ upload: FileUpload) { running.remove(upload.file) }

  func keep(_ handler: @escaping () -> Void) { handlers.append(handler) }

  func finishEvents() {
    let finished = handlers
    handlers = []
    for handler in finished { handler() }
  }
}

/// A user, an app, and the system that uploads for it.
@MainActor private final class TransferStage {
  enum Input: CaseIterable {
    /// The user changes the file, which is enqueued then.
    case change
    case enqueueAgain
    /// The system has uploaded the file.
    case upload
    /// The system passes a handler and its events, if the app does not run in the foreground.
    case wake
    /// The session finishes its events in the foreground, where it has no handler.
    case foreground
    case killAndRelaunch
  }

  private var app = Uploads()
  private var version = 0
  /// The session's tasks, and those whose end the app has not received.
  private var running: [FileUpload] = []
  private var ended: [FileUpload] = []
  private(set) var uploaded: [FileUpload] = []
  private(set) var faults: [String] = []
  private var wakes = 0

  func perform(_ input: Input) {
    switch input {
    case .change:
      version += 1
      enqueue()
    case .enqueueAgain: if version > 0 && uploaded.last?.version != version { enqueue() }
    case .upload: if !running.isEmpty { ended.append(running.removeFirst()) }
    case .wake:
      var calls = 0
      app.keep { calls += 1 }
      deliverEvents()
      if calls > 0 { faults.append("called before the last event") }
      app.finishEvents()
      app.finishEvents()
      if calls != 1 { faults.append("called \(calls) times") }
    case .foreground:
      deliverEvents()
      app.finishEvents()
    case .killAndRelaunch: app = Uploads()
    }
    if running.count > 1 { faults.append("\(running.map(\.version)) run together") }
  }

  /// All that the system has to do, and all that the app then starts.
  func finish() {
    for _ in 1...3 { [.upload, .wake].forEach(perform) }
    if uploaded.last?.version ?? 0 != version { faults.append("\(version) was not uploaded") }
    let versions = uploaded.map(\.version)
    if versions != versions.sorted() { faults.append("in the order \(versions)") }
  }

  private var latest: FileUpload { FileUpload(file: "photo.heic", version: version) }

  private func enqueue() {
    for upload in running { _ = app.begin(upload) }
    if app.begin(latest) { running.append(latest) }
  }

  private func deliverEvents() {
    let delivered = ended
    ended = []
    uploaded += delivered
    delivered.forEach(app.end)
    // Later, in a task.
    for upload in delivered where upload.version != version { enqueue() }
  }
}

@Suite("Recipes: leaving, and long transfers")
@MainActor
struct TransferSampleTests {
  @Test("Every sequence of six: one upload of a file runs, the latest last; handlers run once")
  func everySequence() {
    func check(_ inputs: [TransferStage.Input]) {
      let stage = TransferStage()
      inputs.forEach(stage.perform)
      stage.finish()
      if !stage.faults.isEmpty { Issue.record("\(inputs): \(stage.faults)") }
      guard inputs.count < 6 else { return }
      for input in TransferStage.Input.allCases { check(inputs + [input]) }
    }
    check([])
  }

  @Test("An upload that is enqueued again, twice, while it runs, runs again once")
  func enqueuedAgain() {
    let stage = TransferStage()
    [.change, .change, .change].forEach(stage.perform)
    stage.finish()
    #expect(stage.uploaded.map(\.version) == [1, 3])
  }
}

// MARK: Leaving

@MainActor final class ChatSocket {
  private(set) var isOpen = false
  func open() { isOpen = true }
  func close() { isOpen = false }
}

@MainActor final class ChatRoomModel {
  private let scope = LifecycleScope("chat")
  private var closing: Task<Void, any Error>?

  init(of bus: LifecycleBus, socket: ChatSocket, tasks: BackgroundTaskCoordinator = .application) {
    bus.addObserver(for: .didEnterBackground, in: scope) { [weak self, clock = bus.clock] _ in
      self?.closing = startBackgroundTask(named: "close the socket", tasks: tasks) {
        try await clock.sleep(for: .seconds(20))
        try Task.checkCancellation()  // The user may come back at that very moment.
        socket.close()
      }
    }
    bus.onOpen(in: scope) { [weak self] _ in
      self?.closing?.cancel()
      socket.open()
    }
  }
}

extension TransferSampleTests {
  @Test("A socket is closed twenty seconds after leaving, unless the user comes back before")
  func socket() async {
    let lifecycle = ScriptedLifecycle()
    let host = InMemoryBackgroundTaskHost(clock: lifecycle.clock)
    let socket = ChatSocket()
    let tasks = BackgroundTaskCoordinator(host: host)
    let model = ChatRoomModel(of: lifecycle.bus, socket: socket, tasks: tasks)
    await lifecycle.perform(.launch, .becomeActive, .enterBackground)
    #expect(tasks.grantedTasks == ["close the socket"])
    await lifecycle.perform(.advance(by: .seconds(19)), .becomeActive)
    #expect(tasks.grantedTasks.isEmpty)
    await lifecycle.perform(.advance(by: .seconds(60)))
    #expect(socket.isOpen)
    await lifecycle.perform(.enterBackground, .advance(by: .seconds(20)))
    #expect(!socket.isOpen)
    host.expectNoOpenTasks()
    withExtendedLifetime(model) {}
  }
}
