import CustomDump
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

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

  // MARK: Ends

  @Test("It ends when it is told to, and gives the time back")
  func endedByCall() {
    let task = begin("upload")
    expectNoDifference(task.name, "upload")
    #expect(task.isGranted)
    #expect(!task.isEnded)
    expectNoDifference(tasks.grantedTasks, ["upload"])
    task.end()
    #expect(task.isEnded)
    #expect(!task.isExpired)
    #expect(!task.isGranted)
    clock.advance(by: .seconds(60))
    expectNoDifference(trace.lines, [])
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
  }

  @Test("It stays in its scope while other members come and go, and ends with the scope")
  func membersOfItsScope() {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let scope = LifecycleScope()
    let task = tasks.beginTask(named: "upload", in: scope)
    for _ in 1...100 {
      let token = bus.addObserver { _ in }
      token.store(in: scope)
      token.cancel()
    }
    #expect(!task.isEnded)
    scope.end()
    #expect(task.isEnded)
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
  }

  @Test("It ends when time is up; the handler runs before the time is given back")
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

  @Test("It ends with its scope, and nobody has to hold it")
  func scopeEnd() {
    let scope = LifecycleScope("screen")
    tasks.beginTask(named: "upload", in: scope) { [trace] in trace("expired") }
    expectNoDifference(host.openTasks, ["upload"])
    scope.end()
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
    clock.advance(by: .seconds(60))
    expectNoDifference(trace.lines, [])
  }

  @Test("It ends with a scope that is released")
  func scopeRelease() {
    var scope: LifecycleScope? = LifecycleScope("screen")
    let task = tasks.beginTask(named: "upload", in: scope!)
    scope = nil
    #expect(task.isEnded)
    task.end()
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
  }

  @Test("In a scope that has ended it ends at once, which is reported at the caller's line")
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

  @Test("It ends with its release, which is reported at the line of begin")
  func endedByRelease() {
    let line = #line + 2
    expectReportedIssue("was released before end() was called", line: line) {
      var task: BackgroundTask? = begin(line: line)
      withExtendedLifetime(task) {}
      task = nil
    }
    expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
  }

  private func begin(line: Int) -> BackgroundTask {
    tasks.beginTask(named: "upload", line: UInt(line))
  }

  @Test("The release of one that has expired is nothing to report")
  func releaseAfterExpiration() {
    var task: BackgroundTask? = begin("upload")
    clock.advance(by: .seconds(30))
    expectNoDifference(task?.isExpired, true)
    task = nil
    host.expectNoOpenTasks()
  }

  @Test("To end it twice is reported at the caller's line, and harmless")
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

  @Test("To end it twice after its time was up is reported too")
  func endedTwiceAfterExpiration() {
    let task = begin("upload")
    clock.advance(by: .seconds(30))
    task.end()
    expectReportedIssue("\"upload\" was ended twice") { task.end() }
  }

  // MARK: Sharing

  @Test("Many tasks share one grant; handlers run in order, before it is given back")
  func manyTasksShareOneGrant() {
    let all = (1...5).map { number in
      begin("task \(number)") { [host, trace] in trace("open: \(host.openTasks.count)") }
    }
    all[1].end()
    expectNoDifference(
      tasks.grantedTasks,
      ["task 1", "task 3", "task 4", "task 5"]
    )
    expectNoDifference(host.operations, [.began("task 1")])
    clock.advance(by: .seconds(30))
    expectNoDifference(
      trace.lines,
      [
        "task 1 expired", "open: 1", "task 3 expired", "open: 1", "task 4 expired", "open: 1",
        "task 5 expired", "open: 1",
      ]
    )
    expectNoDifference(host.operations, [.began("task 1"), .expired("task 1"), .ended("task 1")])
    expectNoDifference(all.map(\.isExpired), [true, false, true, true, true])
    expectNoDifference(tasks.grantedTasks, [])
  }

  @Test("The end of the first one leaves the time to the others")
  func firstEnds() {
    let (first, second) = (begin("first"), begin("second"))
    first.end()
    #expect(second.isGranted)
    second.end()
    expectNoDifference(host.operations, [.began("first"), .ended("first")])
    let third = begin("third")
    third.end()
    expectNoDifference(host.operations.suffix(2), [.began("third"), .ended("third")])
  }

  // MARK: Refusal

  @Test("Refused, the work runs without a grant, and the next task asks again")
  func refusedTask() {
    host.isGranting = false
    let first = begin("first")
    #expect(!first.isGranted)
    #expect(!first.isEnded)
    host.isGranting = true
    let second = begin("second")
    #expect(second.isGranted)
    #expect(!first.isGranted)
    clock.advance(by: .seconds(30))
    expectNoDifference(trace.lines, ["second expired"])
    #expect(!first.isEnded)
    first.end()
    expectNoDifference(
      host.operations,
      [.refused("first"), .began("second"), .expired("second"), .ended("second")]
    )
  }

  // MARK: In handlers

  @Test("A handler that ends its own task, and another one, whose handler is not called then")
  func endsInHandler() {
    let (own, other) = (Collector<BackgroundTask>(), Collector<BackgroundTask>())
    let first = begin("first") {
      own.values.first?.end()
      other.values.first?.end()
    }
    let second = begin("second")
    own(first)
    other(second)
    clock.advance(by: .seconds(30))
    expectNoDifference(trace.lines, ["first expired"])
    #expect(first.isExpired)
    #expect(second.isEnded && !second.isExpired)
    expectNoDifference(host.operations, [.began("first"), .expired("first"), .ended("first")])
  }

  @Test("A task that a handler begins is not granted; the next one after that is")
  func beginsInHandler() {
    let late = Collector<BackgroundTask>()
    let first = begin("first") { [tasks] in
      let task = tasks.beginTask(named: "late")
      late(task)
      #expect(!task.isGranted)
    }
    clock.advance(by: .seconds(30))
    expectNoDifference(host.operations, [.began("first"), .expired("first"), .ended("first")])
    #expect(first.isExpired)
    expectNoDifference(late.values.first?.isEnded, false)
    late.values.first?.end()
    let next = begin("next")
    #expect(next.isGranted)
    next.end()
  }

  @Test("A handler that ends a scope ends the tasks there, whose handlers are not called")
  func endsScopeInHandler() {
    let scope = LifecycleScope("screen")
    let first = begin("first") { scope.end() }
    let second = tasks.beginTask(named: "second", in: scope) { [trace] in trace("second expired") }
    clock.advance(by: .seconds(30))
    expectNoDifference(trace.lines, ["first expired"])
    #expect(first.isExpired && second.isEnded && !second.isExpired)
    host.expectNoOpenTasks()
  }

  // MARK: An impatient host

  /// A host whose time is up as soon as it is asked.
  private final class ImpatientHost: BackgroundTaskHost {
    let ended = Collector<Int>()
    let answers: Bool

    init(answers: Bool) { self.answers = answers }

    func beginTask(
      named name: String,
      onExpiration: @escaping @MainActor @Sendable () -> Void
    ) -> BackgroundTaskID? {
      MainActor.assumeIsolated { onExpiration() }
      return answers ? BackgroundTaskID(rawValue: 7) : nil
    }

    func endTask(_ task: BackgroundTaskID) { ended(task.rawValue) }

    @MainActor var remainingTime: Duration? { nil }
  }

  @Test(
    "Time that is up before the host has answered: handlers run once, and tasks may begin again",
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

  // MARK: Leaks

  @Test("What a handler captured is released when the task has ended, on every path")
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

  @Test("A coordinator lives as long as its tasks, and not longer")
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

  @Test("A coordinator that is released leaves no task to a host")
  func coordinatorWithScope() {
    let scope = LifecycleScope("screen")
    var tasks: BackgroundTaskCoordinator? = BackgroundTaskCoordinator(host: host)
    let weak = Weak(tasks!)
    tasks?.beginTask(named: "upload", in: scope)
    tasks = nil
    #expect(weak.isAlive)
    scope.end()
    #expect(!weak.isAlive)
    host.expectNoOpenTasks()
  }
}
