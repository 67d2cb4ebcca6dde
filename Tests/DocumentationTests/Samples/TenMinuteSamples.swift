import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import Testing

// The article In ten minutes.

@MainActor
final class InboxModel {
  private(set) var loads = 0
  private(set) var draft = ""
  private(set) var savedDraft = ""
  private(set) var messages: [String] = []
  private let scope = LifecycleScope("inbox")

  init(bus: LifecycleBus = .application, mail: Mailbox = Mailbox()) {
    bus.onOpen(in: scope) { [weak self] _ in
      self?.load()
    }
    bus.addObserver(for: .didEnterBackground, in: scope) { [weak self] _ in
      self?.save()
    }
    scope.task { [weak self] in
      try await bus.repeatWhile(.foreground) {
        for await message in mail.connect() { self?.messages.append(message) }
      }
    }
  }

  func type(_ text: String) { draft += text }
  private func load() { loads += 1 }
  private func save() { savedDraft = draft }
}

@MainActor
final class Mailbox {
  private var connection: AsyncStream<String>.Continuation?

  func connect() -> AsyncStream<String> {
    let (stream, connection) = AsyncStream.makeStream(of: String.self)
    self.connection = connection
    return stream
  }

  func send(_ message: String) { connection?.yield(message) }
  func upload() async {}
}

@MainActor
func outboxSample(_ bus: LifecycleBus, mail: Mailbox, scope: LifecycleScope) {
  bus.addObserver(for: .didEnterBackground, in: scope) { _ in
    startBackgroundTask(named: "outbox") { await mail.upload() }
  }
}

@Test("The inbox loads at each opening, is connected in between, and saves on leaving")
@MainActor
func inbox() async {
  let life = ScriptedLifecycle()
  let mail = Mailbox()
  let inbox = InboxModel(bus: life.bus, mail: mail)
  await life.perform(.launch, .becomeActive)
  #expect(inbox.loads == 1)

  inbox.type("Dear")
  mail.send("Hello")
  await life.perform(.resignActive, .becomeActive)  // Control Center
  #expect(inbox.loads == 1)
  #expect(inbox.messages == ["Hello"])

  await life.perform(.enterBackground)
  #expect(inbox.savedDraft == "Dear")

  mail.send("while away")
  await life.perform(.advance(by: .seconds(600)), .becomeActive)
  #expect(inbox.loads == 2)

  mail.send("Welcome back")
  await life.perform(.advance(by: .zero))
  #expect(inbox.messages == ["Hello", "Welcome back"])
}
