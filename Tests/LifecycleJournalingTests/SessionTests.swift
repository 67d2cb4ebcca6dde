import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleJournaling

@Suite("Sessions")
@MainActor
struct SessionTests {
  /// A program that counts sessions in a journal, and what its subscriber has received.
  @MainActor private final class Program {
    var sessions: LifecycleSessions?
    private(set) weak var journal: LifecycleJournal?
    var changes: [String] = []
    private(set) var lifecycle: ScriptedLifecycle!
    private let scope = LifecycleScope("program")

    init(in fileSystem: InMemoryFileSystem = InMemoryFileSystem(), subscribes: Bool = true) {
      lifecycle = ScriptedLifecycle(fileSystem: .inMemory(fileSystem)) { [unowned self] process in
        let journal = try LifecycleJournal(
          at: "app",
          of: process.bus,
          heartbeat: .seconds(20),
          fileSystem: process.fileSystem,
          onWriteFailure: { _ in }
        )
        process.keep(journal)
        self.journal = journal
        sessions = LifecycleSessions(of: process.bus, in: journal)
        if subscribes { subscribe() }
      }
    }

    func subscribe() {
      sessions?.changes.sink { [unowned self] in changes.append($0.line) }.store(in: scope)
    }

    var current: LifecycleSession? { sessions?.current }

    func perform(_ steps: LifecycleStep...) { lifecycle.perform(steps) }
  }

  @Test(
    "A visit within 30 seconds of the last one continues its session",
    arguments: [
      ([.enterBackground, .advance(by: .milliseconds(29_999))], 1),
      ([.enterBackground, .advance(by: .seconds(30))], 2),
      ([.enterBackground, .sleepDevice(for: .seconds(30))], 2),
      ([.resignActive, .advance(by: .seconds(60))], 1),
      // The clock is set back by an hour.
      ([.enterBackground, .setWallClock(by: .seconds(-3600)), .advance(by: .seconds(20))], 1),
      ([.enterBackground, .setWallClock(by: .seconds(3600)), .advance(by: .seconds(20))], 1),
      // The process is killed.
      ([.enterBackground, .kill, .advance(by: .seconds(31)), .relaunch], 2),
      (
        [
          .enterBackground, .advance(by: .seconds(20)), .kill, .relaunch, .kill,
          .advance(by: .seconds(20)), .relaunch,
        ], 2
      ),
      ([.kill, .advance(by: .seconds(5)), .relaunch], 1),
      ([.terminate, .advance(by: .seconds(31)), .relaunch], 2),
      ([.enterBackground, .restartDevice(for: .seconds(20)), .relaunch], 1),
      ([.enterBackground, .restartDevice(for: .seconds(60)), .relaunch], 2),
    ] as [([LifecycleStep], Int)]
  )
  func nextVisit(after steps: [LifecycleStep], isInSession number: Int) {
    let program = Program()
    program.lifecycle.perform([.launch, .becomeActive, .advance(by: .seconds(60))] + steps)
    if program.lifecycle.bus.phase != .active { program.perform(.becomeActive) }
    expectNoDifference(program.current?.number, number)
    #expect((program.current?.previousID != nil) == (number == 2))
  }

  @Test("An end is published when the time-out passes, or before the opening that shows it")
  func ends() {
    let program = Program()
    var seen: [Int?] = []
    let token = program.lifecycle.bus.addObserver(for: .willEnterForeground) {
      [unowned program] _ in
      seen.append(program.current?.number)
    }
    program.perform(.launch, .becomeActive, .advance(by: .seconds(5)), .enterBackground)
    program.perform(.advance(by: .seconds(29)))
    expectNoDifference(program.changes, ["begin 1"])
    expectNoDifference(program.current?.timeInForeground, .seconds(5))
    program.perform(.advance(by: .seconds(1)))
    expectNoDifference(program.changes, ["begin 1", "end 1: 1 visits, 5 s"])
    expectNoDifference(program.current, nil)
    program.perform(.becomeActive, .advance(by: .seconds(2)), .background(for: .seconds(10)))
    program.perform(.advance(by: .seconds(3)))
    expectNoDifference(program.current?.timeInForeground, .seconds(5))
    program.perform(.enterBackground, .stopProcess(for: .seconds(60)), .becomeActive)
    expectNoDifference(
      program.changes.dropFirst(2),
      ["begin 2", "end 2: 2 visits, 5 s", "begin 3"]
    )
    expectNoDifference(seen, [1, 2, 2, 3])
    withExtendedLifetime(token) {}
  }

  @Test("A launch in the background begins no session, and publishes the end of the one before")
  func launchInBackground() {
    let program = Program()
    program.perform(.launch, .advance(by: .seconds(5)))
    expectNoDifference(program.current, nil)
    program.perform(.becomeActive, .advance(by: .seconds(5)), .enterBackground)
    program.perform(.kill, .advance(by: .seconds(60)), .relaunch)
    expectNoDifference(program.changes, ["begin 1", "end 1: 1 visits, 5 s"])
    program.perform(.kill, .relaunch, .becomeActive, .advance(by: .seconds(45)), .kill)
    // Killed in sight, after two heartbeats.
    program.perform(.advance(by: .seconds(60)), .relaunch)
    expectNoDifference(program.changes.dropFirst(2), ["begin 2", "end 2: 1 visits, 40 s, killed"])
  }

  @Test("Changes wait for the first subscriber, also in the next process, and are published once")
  func waiting() {
    let program = Program(subscribes: false)
    program.perform(.launch, .becomeActive, .enterBackground, .kill)
    program.perform(.advance(by: .seconds(60)), .relaunch, .becomeActive, .enterBackground, .kill)
    program.perform(.relaunch, .becomeActive)
    program.subscribe()
    expectNoDifference(program.changes, ["end 1: 1 visits, 0 s", "begin 2"])
    program.perform(.kill, .relaunch)
    program.subscribe()
    expectNoDifference(program.changes.count, 2)
  }

  @Test("A session costs a write when it begins and when it ends; a visit costs none")
  func writes() throws {
    let files = NotingFileSystem()
    let bus = LifecycleBus(clock: ManualClock())
    let journal = try LifecycleJournal(at: "app", of: bus, fileSystem: JournalFileSystem(files))
    let sessions = LifecycleSessions(of: bus, in: journal)
    let token = sessions.changes.sink { _ in }
    var counts: [Int] = []
    for kind: LifecycleEvent.Kind in [
      .didFinishLaunching, .willEnterForeground, .didEnterBackground, .willEnterForeground,
    ] {
      _ = files.take()
      bus.send(kind)
      counts.append(files.take().count { $0.name == "wrote" })
    }
    expectNoDifference(counts, [1, 2, 1, 1])
    let bytes = journal.core.values["LifecycleSessions"]?.count ?? 0
    #expect((1...800).contains(bytes), "\(bytes)")
    withExtendedLifetime(token) {}
  }

  @Test("What can't be written is in the next entry")
  func fullDisk() {
    let files = InMemoryFileSystem()
    let program = Program(in: files)
    program.perform(.launch, .becomeActive, .advance(by: .seconds(5)))
    files.failNext(.write, errno: 28)
    program.perform(.enterBackground)
    expectNoDifference(program.current?.timeInForeground, .seconds(5))
    // The heartbeat.
    program.perform(.advance(by: .seconds(15)), .kill, .relaunch)
    expectNoDifference(program.current?.timeInForeground, .seconds(5))
    expectNoDifference(program.current?.wasKilled, false)
  }

  @Test("After the end of its journal, a session ends with the process, unless the journal has it")
  func endedJournal() {
    let program = Program()
    program.perform(.launch)
    program.journal?.end()
    program.perform(.becomeActive, .advance(by: .seconds(5)), .terminate)
    expectNoDifference(program.changes, ["begin 1", "end 1: 1 visits, 5 s"])
    program.perform(.relaunch, .becomeActive, .advance(by: .seconds(5)))
    program.journal?.end()
    program.perform(.terminate, .advance(by: .seconds(20)), .relaunch, .becomeActive)
    expectNoDifference(program.changes.dropFirst(2), ["begin 1"])
    expectNoDifference(program.current?.visits, 2)
  }

  @Test("A value that is not a session's is reported, and sessions count from 1")
  func foreignValue() throws {
    let lifecycle = ScriptedLifecycle()
    lifecycle.perform(.launch, .becomeActive)
    let journal = try LifecycleJournal(
      at: "app",
      of: lifecycle.bus,
      fileSystem: lifecycle.fileSystem
    )
    try journal.set("mine", forKey: "LifecycleSessions")
    expectReportedIssue("The journal's value for \"LifecycleSessions\"", line: #line + 1) {
      let sessions = LifecycleSessions(of: lifecycle.bus, in: journal)
      expectNoDifference(sessions.current?.number, 1)
    }
  }

  @Test("Created during a visit, sessions count it from its opening; without a journal, they end")
  func withoutJournal() {
    let lifecycle = ScriptedLifecycle()
    lifecycle.perform(.launch, .becomeActive, .advance(by: .seconds(5)))
    var sessions: LifecycleSessions? = LifecycleSessions(of: lifecycle.bus)
    expectNoDifference(sessions?.current?.timeInForeground, .seconds(5))
    let trace = Trace()
    func subscribe() -> AnyCancellable {
      sessions!.changes.sink(
        receiveCompletion: { _ in trace("finished") },
        receiveValue: { trace($0.line) }
      )
    }
    let token = subscribe()
    lifecycle.perform(.terminate)
    expectNoDifference(trace.take(), ["begin 1", "end 1: 1 visits, 5 s", "finished"])
    sessions = LifecycleSessions(of: LifecycleBus(clock: lifecycle.clock))
    let another = subscribe()
    sessions = nil
    expectNoDifference(trace.take(), ["finished"])
    withExtendedLifetime((token, another)) {}
  }

  @Test("Openings and leavings on several threads lose no session")
  nonisolated func threads() async {
    let (bus, trace) = (NonisolatedLifecycleBus(clock: ManualClock()), Trace())
    let sessions = LifecycleSessions(of: bus, timeout: .zero)
    let token = sessions.changes.sink { trace($0.line) }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask { bus.send(number % 2 == 0 ? .didBecomeActive : .didEnterBackground) }
      }
    }
    bus.send(.willTerminate)
    let lines = (1...max(trace.lines.count / 2, 1)).flatMap { number in
      ["begin \(number)", "end \(number): 1 visits, 0 s"]
    }
    expectNoDifference(trace.lines, lines)
    withExtendedLifetime(token) {}
  }
}

extension LifecycleSessions.Change {
  fileprivate var line: String {
    switch self {
    case .began(let session): "begin \(session.number)"
    case .ended(let session): "end \(session.line)"
    }
  }
}
