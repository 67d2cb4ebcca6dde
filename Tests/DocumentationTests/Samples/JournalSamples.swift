import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle

/// A program that keeps a journal at a path, launched again and again.
struct JournalSample {
  let path: String
  let clock = ManualClock()

  private struct Deadline: Codable, Equatable {
    var seconds: Int
  }

  /// A run that is killed in the foreground, or ended; whether it offered a report of the one before.
  func offersReport(isEnded: Bool) throws -> Bool {
    let bus = NonisolatedLifecycleBus(clock: clock)
    var isOffered = false
    func offerReport() { isOffered = true }
    let journal = try LifecycleJournal(at: path, of: bus)
    if journal.previousRun.exit == .killedInForeground { offerReport() }
    bus.send(.didBecomeActive)
    if isEnded {
      journal.end()
    }
    return withExtendedLifetime(journal) { isOffered }
  }

  /// What it prints of the run before.
  func previousRun() throws -> String {
    let bus = NonisolatedLifecycleBus(clock: clock)
    var output = ""
    func print(_ text: String) { output = text }
    let journal = try LifecycleJournal(at: path, of: bus, heartbeat: .seconds(30))
    let previous = journal.previousRun
    print("The last run: \(previous.exit), \(previous.timeAway ?? .zero) ago")
    clock.advance(by: .seconds(70))
    return withExtendedLifetime(journal) { output }
  }

  /// The seconds of a deadline, set and read again.
  func deadline() throws -> Int? {
    let journal = try LifecycleJournal(at: path, of: NonisolatedLifecycleBus(clock: clock))
    return try read(from: journal, setting: Deadline(seconds: 60))
  }

  private func read(from journal: LifecycleJournal, setting deadline: Deadline) throws -> Int? {
    do {
      try journal.set(deadline, forKey: "deadline")
      let deadline = try journal.value(Deadline.self, forKey: "deadline")
      return deadline?.seconds
    }
  }

  @MainActor
  private final class Draft {
    var text = ""
  }

  /// The text that the run before has saved; this one adds to it, and is killed in the background.
  @MainActor
  func savedDraft() throws -> String {
    let bus = LifecycleBus(clock: clock)
    let scope = LifecycleScope("editor")
    let draft = Draft()
    let journal = try LifecycleJournal(at: path, of: bus)
    draft.text = try journal.value(forKey: "draft") ?? ""
    journal.saveValue(forKey: "draft", of: bus, in: scope) { draft.text }
    let restored = draft.text
    bus.send(.didBecomeActive)
    draft.text += "Dear "
    bus.send(.didEnterBackground)
    return restored
  }
}
