import CustomDump
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleJournaling

@Suite("Journal: saved values")
struct JournalSavedValueTests {
  private let files = InMemoryFileSystem()
  private let bus = NonisolatedLifecycleBus(clock: ManualClock())
  private let scope = LifecycleScope("screen")
  private let trace = Collector<String>()

  private func open(
    _ bus: some LifecycleBusProtocol,
    onWriteFailure: (@Sendable (LifecycleJournal.WriteError) -> Void)? = nil
  ) throws -> LifecycleJournal {
    try LifecycleJournal(
      at: "/state",
      of: bus,
      fileSystem: .inMemory(files),
      onWriteFailure: onWriteFailure
    )
  }

  /// What a launch after a power cut finds under a key.
  private func restored<Value: Decodable>(
    _ type: Value.Type = Value.self,
    forKey key: String
  ) throws -> Value? {
    let copy = InMemoryFileSystem()
    copy.setContents(files.contents(of: "/state"), of: "/state")
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let journal = try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(copy))
    return try journal.value(type, forKey: key)
  }

  // MARK: When

  @Test("The closure of saveValue may use main-actor state")
  @MainActor
  func mainActorBus() throws {
    @MainActor final class Model {
      var text = ""
    }
    let bus = LifecycleBus(clock: ManualClock())
    let journal = try open(bus)
    let model = Model()
    journal.saveValue(forKey: "text", in: scope) { model.text }
    bus.send(.didBecomeActive)
    model.text = "kept"
    bus.send(.didEnterBackground)
    #expect(try restored(forKey: "text") == "kept")
  }

  @Test("A value is asked for after the observers that may still change it")
  func askedAfterObservers() throws {
    let journal = try open(bus)
    journal.saveNonisolatedValue(forKey: "a", in: scope) { [trace] in
      trace("saved")
      return 1
    }
    let before = bus.addObserver(for: .didEnterBackground) { [trace] _ in trace("observer") }
    bus.addObserver(for: .didEnterBackground, in: scope) { [trace] _ in trace("another") }
    bus.send(.didBecomeActive)
    bus.send(.didEnterBackground)
    expectNoDifference(trace.values, ["another", "observer", "saved"])
    before.cancel()
  }

  @Test(
    "Of a path to willTerminate, only its didEnterBackground saves a value",
    arguments: [
      ([.didBecomeActive], "didEnterBackground"), ([.didEnterBackground], "willTerminate"),
    ] as [([LifecycleEvent.Kind], String)]
  )
  func savedOnTheWayToTheEnd(after kinds: [LifecycleEvent.Kind], _ saved: String) throws {
    let journal = try open(bus)
    let text = Locked("")
    journal.saveNonisolatedValue(forKey: "text", in: scope) { text.withLock { $0 } }
    bus.addObserver(for: [.didEnterBackground, .willTerminate], in: scope) { event in
      text.withLock { $0 = "\(event.kind)" }
    }
    for kind in kinds + [.willTerminate] { bus.send(kind) }
    expectNoDifference(text.withLock { $0 }, "willTerminate")
    #expect(try restored(forKey: "text") == saved)
  }

  @Test("Values of a fetch in the background are durable before the host has the result")
  @MainActor
  func savedAtEndOfFetch() async throws {
    @MainActor final class Model {
      var steps = 0
    }
    for wake in 1...3 {
      let (bus, scope, model) = (
        LifecycleBus(clock: ManualClock()), LifecycleScope("wake"), Model()
      )
      let fetches = BackgroundFetchCoordinator(of: bus)
      let journal = try open(bus)
      model.steps = try journal.value(forKey: "steps") ?? 0
      journal.saveValue(forKey: "steps", in: scope) { model.steps }
      // Of two for a key, the newest counts.
      journal.saveValue(forKey: "wake", in: scope) { 0 }
      let inner = LifecycleScope("inner")
      journal.saveValue(forKey: "wake", in: inner) { wake }
      fetches.addHandler(named: "steps", in: scope) { @MainActor in
        model.steps += 10
        return .newData
      }
      bus.addObserver(for: .backgroundFetchDidComplete, in: scope) { _ in model.steps += 1 }
      let host = InMemoryBackgroundFetchHost()
      let connection = fetches.connect(host)
      bus.send(.didFinishLaunching)
      let result = await host.fetch()
      // From here on, the process may be killed.
      expectNoDifference(result, .newData)
      #expect(try restored(forKey: "steps") == 11 * wake)
      #expect(try restored(forKey: "wake") == wake)
      withExtendedLifetime((fetches, journal, connection, inner)) {}
    }
  }

  @Test("A fetch that ends in the foreground saves no value")
  func fetchInForeground() throws {
    let journal = try open(bus)
    journal.saveNonisolatedValue(forKey: "a", in: scope) { 1 }
    bus.send(all: .didBecomeActive, .backgroundFetchDidComplete)
    #expect(try restored(Int.self, forKey: "a") == nil)
    withExtendedLifetime(journal) {}
  }

  // MARK: One entry

  @Test("All values are one write with the transition, and one at the end of a fetch")
  func oneWrite() throws {
    let noted = NotingFileSystem(files)
    let journal = try LifecycleJournal(at: "/state", of: bus, fileSystem: JournalFileSystem(noted))
    bus.send(all: .didBecomeActive, .willResignActive)
    let factor = Locked(1)
    for number in 1...10 {
      journal.saveNonisolatedValue(forKey: "\(number)", in: scope) {
        factor.withLock { $0 * number }
      }
    }
    _ = noted.take()
    for (event, value) in [
      (LifecycleEvent.Kind.didEnterBackground, 1), (.backgroundFetchDidComplete, 2),
    ] {
      factor.withLock { $0 = value }
      bus.send(event)
      expectNoDifference(
        noted.take().map(\.name).filter { $0 != "locked" && $0 != "unlocked" },
        ["wrote", "synchronized"]
      )
      for number in 1...10 { #expect(try restored(forKey: "\(number)") == number * value) }
    }
  }

  @Test("An entry that could not be written is in the next one, with its values")
  func failedWrite() throws {
    let failures = Collector<LifecycleJournal.WriteError>()
    let journal = try open(bus) { failures($0) }
    bus.send(all: .didBecomeActive, .willResignActive)
    journal.saveNonisolatedValue(forKey: "a", in: scope) { 1 }
    files.failNext(.write, errno: 28)
    bus.send(.didEnterBackground)
    expectNoDifference(failures.values.count, 1)
    #expect(try restored(Int.self, forKey: "a") == nil)
    scope.end()
    bus.send(.willEnterForeground)
    #expect(try restored(forKey: "a") == 1)
    withExtendedLifetime(journal) {}
  }

  @Test("A value of nil removes the saved one")
  func nilRemoves() throws {
    let journal = try open(bus)
    let draft = Locked<String?>("text")
    journal.saveNonisolatedValue(forKey: "draft", in: scope) { draft.withLock { $0 } }
    bus.send(.didEnterBackground)
    #expect(try restored(forKey: "draft") == "text")
    draft.withLock { $0 = nil }
    bus.send(all: .didBecomeActive, .didEnterBackground)
    #expect(try restored(String.self, forKey: "draft") == nil)
  }

  // MARK: Failures

  @Test("A value that can't be encoded, or has no room, is reported; all others are saved")
  func failures() throws {
    let journal = try open(bus)
    let value = Locked(Fickle.text("small"))
    journal.saveNonisolatedValue(forKey: "a", in: scope) { 1 }
    let line = #line + 1
    journal.saveNonisolatedValue(forKey: "b", in: scope) { value.withLock { $0 } }
    journal.saveNonisolatedValue(forKey: "c", in: scope) { 3 }
    bus.send(.didEnterBackground)
    for (later, report) in [
      (Fickle.broken, "The value for \"b\" can't be encoded, so any earlier value is kept: "),
      (.text(String(repeating: "x", count: 5_000)), "The value for \"b\" takes 5002 bytes, but"),
    ] {
      value.withLock { $0 = later }
      expectReportedIssue(report, line: line) {
        bus.send(all: .didBecomeActive, .didEnterBackground)
      }
    }
    #expect(try restored(forKey: "a") == 1)
    #expect(try restored(forKey: "b") == "small")
    #expect(try restored(forKey: "c") == 3)
  }

  private enum Fickle: Encodable {
    case text(String), broken

    func encode(to encoder: any Encoder) throws {
      guard case .text(let text) = self else {
        throw EncodingError.invalidValue(1, .init(codingPath: [], debugDescription: "no"))
      }
      try text.encode(to: encoder)
    }
  }

  @Test("A value fits into the room that another one gives up in the same entry")
  func roomOfAnother() throws {
    let journal = try open(bus)
    let long = String(repeating: "x", count: 3_000)
    let isFirst = Locked(true)
    journal.saveNonisolatedValue(forKey: "a", in: scope) { isFirst.withLock { $0 } ? long : nil }
    journal.saveNonisolatedValue(forKey: "b", in: scope) { isFirst.withLock { $0 } ? nil : long }
    bus.send(.didEnterBackground)
    isFirst.withLock { $0 = false }
    bus.send(all: .didBecomeActive, .didEnterBackground)
    #expect(try restored(String.self, forKey: "a") == nil)
    #expect(try restored(forKey: "b") == long)
  }

  @Test("saveValue is reported at the caller's line if the journal records a nonisolated bus")
  func nonisolatedBus() throws {
    let journal = try open(bus)
    let line = #line + 2
    expectReportedIssue("the journal /state records a NonisolatedLifecycleBus", line: line) {
      journal.saveValue(forKey: "a", in: scope) { 1 }
    }
    bus.send(.didEnterBackground)
    #expect(try restored(Int.self, forKey: "a") == nil)
  }

  // MARK: Scopes

  @Test("The same key in the same scope replaces the closure and releases the earlier one (G12)")
  func replaced() throws {
    let journal = try open(bus)
    var first: Box? = Box()
    weak let released = first
    journal.saveNonisolatedValue(forKey: "a", in: scope) { [first] in first?.value }
    first = nil
    #expect(released != nil)
    journal.saveNonisolatedValue(forKey: "a", in: scope) { 2 }
    #expect(released == nil)
    bus.send(.didEnterBackground)
    #expect(try restored(forKey: "a") == 2)
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 2)
  }

  private final class Box: Sendable {
    let value = 1
  }

  @Test("Of two scopes that save one key, the newer one counts until it ends")
  func twoScopes() throws {
    let journal = try open(bus)
    let inner = LifecycleScope("inner")
    journal.saveNonisolatedValue(forKey: "a", in: scope) { [trace] in
      trace("outer")
      return 1
    }
    journal.saveNonisolatedValue(forKey: "a", in: inner) { [trace] in
      trace("inner")
      return 2
    }
    bus.send(.didEnterBackground)
    #expect(try restored(forKey: "a") == 2)
    inner.end()
    bus.send(all: .didBecomeActive, .didEnterBackground)
    #expect(try restored(forKey: "a") == 1)
    expectNoDifference(trace.values, ["inner", "outer"])
  }

  @Test("A value is saved before its scope ends at didEnterBackground")
  func scopeEndsAtTheEvent() throws {
    let journal = try open(bus)
    scope.end(at: .didEnterBackground, of: bus)
    journal.saveNonisolatedValue(forKey: "a", in: scope) { 1 }
    bus.send(all: .didBecomeActive, .didEnterBackground)
    #expect(scope.isEnded)
    #expect(try restored(forKey: "a") == 1)
    withExtendedLifetime(journal) {}
  }

  @Test("A value whose scope an observer ends before the journal's turn is not asked for")
  func scopeEndsBeforeTheJournal() throws {
    let journal = try open(bus)
    let token = bus.addObserver(for: .didEnterBackground) { [scope] _ in scope.end() }
    journal.saveNonisolatedValue(forKey: "a", in: scope) { 1 }
    bus.send(all: .didBecomeActive, .didEnterBackground)
    #expect(try restored(forKey: "a") as Int? == nil)
    withExtendedLifetime((journal, token)) {}
  }

  @Test("Saving a value in an ended scope is reported at the caller's line")
  func endedScope() throws {
    let journal = try open(bus)
    scope.end()
    let line = #line + 2
    expectReportedIssue("The scope \"screen\" has already ended", line: line) {
      journal.saveNonisolatedValue(forKey: "a", in: scope) { 1 }
    }
    bus.send(.didEnterBackground)
    #expect(try restored(Int.self, forKey: "a") == nil)
  }

  // MARK: The end of the journal

  @Test("A saved value does not keep the journal alive, and is not read after its release")
  func releasedJournal() throws {
    var journal: LifecycleJournal? = try open(bus)
    weak let released = journal
    journal?.saveNonisolatedValue(forKey: "a", in: scope) { [trace] in
      trace("asked")
      return 1
    }
    journal = nil
    #expect(released == nil)
    bus.send(.didEnterBackground)
    expectNoDifference(trace.values, [])
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  // MARK: Locks, and reports

  @Test("No lock is held while a value is asked for")
  func withoutALock() throws {
    let journal = try open(bus)
    journal.saveNonisolatedValue(forKey: "outer", in: scope) { [weak journal] in
      try? journal?.set(2, forKey: "inner")
      return 1
    }
    bus.send(.didEnterBackground)
    #expect(try restored(forKey: "inner") == 2)
    #expect(try restored(forKey: "outer") == 1)
  }
}
