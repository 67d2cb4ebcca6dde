import CustomDump
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleBackgroundWork

/// A background task ends exactly once, on every path.
@MainActor
@Suite("Background tasks")
struct BackgroundTaskTests {
  private let clock = ManualClock()
  private let host: InMemoryBackgroundTaskHost
  private let tasks: BackgroundTaskCoordinator
  private let trace = Trace()

  init() {
    host = InMemoryBackgroundTaskHost(clock: clock)
    tasks = BackgroundTaskCoordinator(host: host)
  }

  private func begin(
    _ name: String,
    then body: @escaping @MainActor @Sendable () -> Void = {}
  ) -> BackgroundTask {
    tasks.beginTask(named: name) { [trace] in
      trace("\(name) expired")
      body()
    }
  }

  @Test("When time is up, a task ends, and its handler runs before the time is given back")
  func endsWhenTimeIsUp() {
    let task = begin("upload") { [host, trace] in
      trace("open: \(host.openTasks)")
      MainActor.assertIsolated()
    }
    clock.advance(by: .seconds(29))
    #expect(!task.isEnded)
    expectNoDifference(tasks.remainingTime, .seconds(1))
    clock.advance(by: .seconds(1))
    #expect(task.isEnded)
    #expect(task.isExpired)
    #expect(!task.isGranted)
    expectNoDifference(trace.lines, ["upload expired", "open: [\"upload\"]"])
    expectNoDifference(host.operations, [.began("upload"), .expired("upload"), .ended("upload")])
    task.end()  // the work's end races with that of the time
    host.expectNoOpenTasks()
  }

  @Test("A task in a scope that has ended ends at once, which is reported at the caller's line")
  func endedScope() {
    let scope = LifecycleScope("screen")
    scope.end()
    expectReportedIssue("screen", line: #line + 1) {
      let task = tasks.beginTask(named: "upload", in: scope) { [trace] in trace("expired") }
      #expect(task.isEnded)
    }
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
    expectNoDifference(trace.lines, [])
  }

  @Test("A second end() of a task is reported at the caller's line, and has no other effect")
  func endedTwice() {
    let (first, second) = (begin("first"), begin("second"))
    first.end()
    expectReportedIssue("\"first\" was ended twice", line: #line + 1) {
      first.end()
    }
    expectNoDifference(tasks.grantedTasks, ["second"])
    second.end()
    expectNoDifference(host.operations, [.began("first"), .ended("first")])
  }

  @Test("end() is not reported after time was up, or after the scope has ended")
  func endedAfterAnotherEnd() {
    let expired = begin("expired")
    clock.advance(by: .seconds(30))
    let scope = LifecycleScope("screen")
    let cancelled = tasks.beginTask(named: "cancelled", in: scope)
    scope.end()
    let operations = host.operations
    for task in [expired, cancelled] {
      task.end()
      task.end()
    }
    expectNoDifference(host.operations, operations)
  }

  // MARK: Faults of code written by hand

  @Test("A task that is overwritten before its end ends, which is reported where it was begun")
  func identifierIsOverwrittenBySecondTask() {
    var task = tasks.beginTask(named: "first rest")
    #expect(task.isGranted)
    // By hand it would never end; here it has, and the report names the line of its beginning.
    expectReportedIssue("first rest", line: #line - 3) {
      task = tasks.beginTask(named: "second rest")
    }
    expectNoDifference(tasks.grantedTasks, ["second rest"])
    task.end()
    host.expectNoOpenTasks()
  }

  // MARK: An impatient host

  /// A host whose time is up as soon as it is asked, or when a test says so.
  private final class ImpatientHost: BackgroundTaskHost {
    let ended = Collector<Int>()
    let handlers = Collector<@MainActor @Sendable () -> Void>()
    let answers: Bool
    let isPatient: Bool

    init(answers: Bool, isPatient: Bool = false) {
      self.answers = answers
      self.isPatient = isPatient
    }

    func beginTask(
      named name: String,
      onExpiration: @escaping @MainActor @Sendable () -> Void
    ) -> BackgroundTaskID? {
      handlers(onExpiration)
      if !isPatient { MainActor.assumeIsolated { onExpiration() } }
      return answers ? BackgroundTaskID(rawValue: 7) : nil
    }

    func endTask(_ task: BackgroundTaskID) { ended(task.rawValue) }

    @MainActor var remainingTime: Duration? { nil }
  }

  @Test(
    "If time is up before the host has answered, handlers run once, and later tasks are requested",
    arguments: [true, false]
  )
  func timeUpBeforeTheHostAnswers(answers: Bool) {
    let host = ImpatientHost(answers: answers)
    let tasks = BackgroundTaskCoordinator(host: host)
    for round in 1...2 {
      let task = tasks.beginTask(named: "upload") { [trace] in trace("expired") }
      #expect(task.isExpired)
      #expect(!task.isGranted)
      expectNoDifference(host.ended.values, answers ? Array(repeating: 7, count: round) : [])
    }
    expectNoDifference(trace.lines, ["expired", "expired"])
  }

  @Test("A host that answers while handlers run receives the time back after them")
  func answerWhileHandlersRun() {
    for id in [BackgroundTaskID(rawValue: 7), nil] {
      var machine = BackgroundTaskMachine()
      expectNoDifference(machine.begin().action, .requestGrant(1))
      expectNoDifference(machine.expire(1), true)
      expectNoDifference(machine.nextExpired(), 1)
      expectNoDifference(machine.granted(id), nil)
      expectNoDifference(machine.nextExpired(), nil)
      expectNoDifference(machine.finishExpiring(), id.map { .endGrant($0) })
      expectNoDifference(machine.begin().action, .requestGrant(2))
    }
  }

  @Test("An expiration of time that was given back ends no task of the next grant")
  func lateExpiration() {
    let host = ImpatientHost(answers: true, isPatient: true)
    let tasks = BackgroundTaskCoordinator(host: host)
    tasks.beginTask(named: "first").end()
    let second = tasks.beginTask(named: "second")
    host.handlers.values[0]()
    #expect(second.isGranted && !second.isExpired)
    second.end()
    expectNoDifference(host.ended.values, [7, 7])
  }

  // MARK: Leaks

  @Test("The captures of an expiration handler are released when the task ends, however it ends")
  func capturesAreReleasedAtTheEnd() {
    func canary(_ name: String) -> Canary { Canary { [trace] in trace("\(name) released") } }
    let scope = LifecycleScope("screen")
    let ended = { (canary: Canary) in tasks.beginTask(named: "a") { canary.sing() } }(canary("a"))
    ended.end()
    expectNoDifference(trace.take(), ["a released"])
    let scoped = { (canary: Canary) in
      tasks.beginTask(named: "b", in: scope) { canary.sing() }
    }(canary("b"))
    scope.end()
    expectNoDifference(trace.take(), ["b released"])
    let expired = { (canary: Canary) in tasks.beginTask(named: "c") { canary.sing() } }(canary("c"))
    host.expire()
    expectNoDifference(trace.take(), ["c released"])
    withExtendedLifetime((ended, scoped, expired)) {}
  }

  @Test("Tasks that have ended leave the table of a scope that lives on")
  func leavesScope() {
    let scope = LifecycleScope("screen")
    var cores: [Weak<BackgroundTaskCore>] = []
    func begin(_ tasks: BackgroundTaskCoordinator) -> BackgroundTask {
      let task = tasks.beginTask(named: "upload", in: scope)
      cores.append(Weak(task.core))
      return task
    }
    begin(tasks).end()
    _ = begin(tasks)
    host.expire()
    // One that has ended before it is in the table.
    _ = begin(BackgroundTaskCoordinator(host: ImpatientHost(answers: true)))
    expectNoDifference(cores.map(\.isAlive), [false, false, false])
    #expect(!scope.isEnded)
  }

  @Test("A coordinator is released with its last task")
  func coordinatorLivesAsLongAsItsTasks() {
    var tasks: BackgroundTaskCoordinator? = BackgroundTaskCoordinator(host: host)
    let weak = Weak(tasks!)
    var task = tasks?.beginTask(named: "upload")
    tasks = nil
    #expect(weak.isAlive)
    host.expire()
    expectNoDifference(task?.isExpired, true)
    task = nil
    #expect(!weak.isAlive)
  }
}
