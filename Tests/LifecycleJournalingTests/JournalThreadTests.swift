import CustomDump
import IssueReporting
import LifecycleCore
import LifecycleJournaling
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@Suite("Journal: threads")
struct JournalThreadTests {
  @Test("Transitions, values and heartbeats at once: each is recorded, and the file is whole")
  func atOnce() async throws {
    let stage = JournalStage()
    let clock = ManualClock()
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus, heartbeat: .milliseconds(1))
      await awaitOtherThreads(4) { thread in
        for turn in 0..<25 {
          switch thread {
          case 0: bus.send(turn % 2 == 0 ? .didBecomeActive : .didEnterBackground)
          case 1: clock.advance(by: .milliseconds(1))
          default:
            do {
              try journal.set(turn, forKey: "\(thread)")
              expectNoDifference(try journal.value(Int.self, forKey: "\(thread)"), turn)
            } catch {
              reportIssue(error)
            }
          }
        }
      }
    }
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: stage.path, of: bus)
    expectNoDifference(
      journal.previousRun,
      LifecycleJournal.PreviousRun(exit: .killedInForeground, timeAway: .zero)
    )
    #expect(try journal.value(Int.self, forKey: "2") == 24)
    #expect(try journal.value(Int.self, forKey: "3") == 24)
    expectNoDifference(stage.names, ["state"])
  }

  @Test("A journal can end, and be released, while it is being used")
  func endsMeanwhile() async throws {
    for turn in 0..<20 {
      let stage = JournalStage()
      let clock = ManualClock()
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = Locked<LifecycleJournal?>(
        try LifecycleJournal(at: stage.path, of: bus, heartbeat: .milliseconds(1))
      )
      await awaitOtherThreads(3) { thread in
        switch thread {
        case 0: for _ in 0..<3 { bus.send(all: .didBecomeActive, .didEnterBackground) }
        case 1: for _ in 0..<5 { clock.advance(by: .milliseconds(1)) }
        default:
          let taken = journal.withLock { $0.take() }
          if turn % 2 == 0 { taken?.end() }
        }
      }
      expectNoDifference(clock.timerCount, 0)
      #expect(bus.diagnostics.liveSubscriptions.isEmpty)
      let exit = try stage.run(clock).exit
      #expect(turn % 2 == 0 ? exit == .endedProperly : exit != .unknown)
      expectNoDifference(stage.names, ["state"])
    }
  }

  @Test("Of eight threads that open a journal at once, exactly one gets the file")
  func oneOfManyOpenersHasFile() async throws {
    let stage = JournalStage()
    let opened = Collector<LifecycleJournal>()
    let refused = Collector<LifecycleJournal.OpenError>()
    await awaitOtherThreads(8) { _ in
      do throws(LifecycleJournal.OpenError) {
        let bus = NonisolatedLifecycleBus(clock: ManualClock())
        opened(try LifecycleJournal(at: stage.path, of: bus))
      } catch {
        refused(error)
      }
    }
    expectNoDifference(opened.values.count, 1)
    expectNoDifference(refused.values.count, 7)
    for case .cannotOpen(_, let code) in refused.values { Issue.record("errno \(code)") }
    expectNoDifference(stage.names, ["state"])
  }
}

/// The threads that write, and that ask for values.
@Suite("Journal: where it writes")
@MainActor
struct JournalWriteThreadTests {
  private let clock = ManualClock()
  private let files = NotingFileSystem()

  private func open(_ bus: some LifecycleBusProtocol) throws -> LifecycleJournal {
    try LifecycleJournal(
      at: "/state",
      of: bus,
      heartbeat: .seconds(1),
      fileSystem: JournalFileSystem(files)
    )
  }

  @Test("The initializer writes on the calling thread, before it returns")
  func initializer() {
    let (thread, calls) = onOtherThread { [files, clock] in
      let bus = NonisolatedLifecycleBus(clock: clock)
      _ = try? LifecycleJournal(at: "/state", of: bus, fileSystem: JournalFileSystem(files))
      return (currentThread(), files.take())
    }
    expectNoDifference(calls.map(\.name), ["made", "unlocked"])
    #expect(calls.allSatisfy { $0.thread == thread })
    expectNoDifference(files.base.contents(of: "/state")?.count, 8192)
  }

  @Test("On a main-actor bus, transitions are written, and values read, on the main actor")
  func transitionOnTheMainActor() async throws {
    let bus = LifecycleBus(clock: clock)
    let journal = try open(bus)
    let scope = LifecycleScope()
    let trace = Trace()
    journal.saveValue(forKey: "a", in: scope) {
      trace("\(MainQueue.isCurrent)")
      return 1
    }
    _ = files.take()
    onOtherThread { _ = bus.send(.didEnterBackground) }
    #expect(files.take().isEmpty && trace.lines.isEmpty)
    await mainQueueToDrain()
    let calls = files.take()
    #expect(calls.contains { $0.name == "wrote" } && calls.allSatisfy(\.isOnMainActor))
    expectNoDifference(trace.lines, ["true"])
    withExtendedLifetime((journal, scope)) {}
  }

  @Test("On a nonisolated bus, transitions are written, and values read, on the thread that sends")
  func transitionOnTheSender() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try open(bus)
    let scope = LifecycleScope()
    let asking = Collector<ObjectIdentifier>()
    journal.saveNonisolatedValue(forKey: "a", in: scope) {
      asking(currentThread())
      return 1
    }
    _ = files.take()
    let sender = onOtherThread {
      bus.send(.didEnterBackground)
      return currentThread()
    }
    let calls = files.take()
    #expect(calls.contains { $0.name == "wrote" } && calls.allSatisfy { $0.thread == sender })
    expectNoDifference(asking.values, [sender])
    withExtendedLifetime((journal, scope)) {}
  }

  @Test("A heartbeat is written on the thread that the clock calls, on the main actor's bus too")
  func heartbeat() throws {
    let journal = try open(LifecycleBus(clock: clock))
    _ = files.take()
    let thread = onOtherThread { [clock] in
      clock.advance(by: .seconds(1))
      return currentThread()
    }
    let calls = files.take()
    #expect(calls.contains { $0.name == "wrote" } && calls.allSatisfy { $0.thread == thread })
    withExtendedLifetime(journal) {}
  }
}
