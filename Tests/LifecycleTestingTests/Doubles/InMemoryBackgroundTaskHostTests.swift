import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@Suite("In-memory host for background tasks")
@MainActor
struct InMemoryBackgroundTaskHostTests {
  private let clock = ManualClock()

  /// Begins a task that its handler ends.
  @discardableResult
  private func begin(_ name: String, on host: InMemoryBackgroundTaskHost) -> BackgroundTaskID? {
    let box = Box()
    let begun = host.beginTask(named: name) { [weak host] in
      if let task = box.task { host?.endTask(task) }
    }
    box.task = begun
    return begun
  }

  private final class Box: Sendable {
    private let state = Locked<BackgroundTaskID?>(nil)

    var task: BackgroundTaskID? {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }

  @Test("A refused task is nil, and its handler is released without a call")
  func refusedTaskIsNil() {
    let host = InMemoryBackgroundTaskHost()
    host.isGranting = false
    #expect(!host.isGranting)
    final class Captured: Sendable {}
    var captured: Captured? = Captured()
    weak let observed = captured
    expectNoDifference(
      host.beginTask(named: "upload") { [captured] in Issue.record("called \(captured!)") },
      nil
    )
    captured = nil
    #expect(observed == nil)
    host.expire()
    host.isGranting = true
    host.endTask(begin("again", on: host)!)
    expectNoDifference(host.operations, [.refused("upload"), .began("again"), .ended("again")])
  }

  // MARK: Expiration

  @Test("Expiration calls the handlers in order, once")
  func expirationCallsHandlersInOrder() {
    let host = InMemoryBackgroundTaskHost()
    begin("upload", on: host)
    begin("save", on: host)
    host.expire()
    host.expire()
    expectNoDifference(
      host.operations.dropFirst(2),
      [.expired("upload"), .ended("upload"), .expired("save"), .ended("save")]
    )
  }

  @Test("A task that another task's handler ends is not expired")
  func handlerEndsOthers() {
    let host = InMemoryBackgroundTaskHost()
    let (first, second) = (Box(), Box())
    first.task = host.beginTask(named: "first") {
      host.endTask(second.task!)
      host.endTask(first.task!)
    }
    second.task = host.beginTask(named: "second") { Issue.record("called") }
    host.expire()
    expectNoDifference(
      host.operations.dropFirst(2),
      [.expired("first"), .ended("second"), .ended("first")]
    )
  }

  @Test("The remaining time runs from the first open task on, and begins anew after the last")
  func clockExpires() throws {
    let host = InMemoryBackgroundTaskHost(clock: clock, remainingTime: .seconds(30))
    expectNoDifference(host.remainingTime, .seconds(30))
    begin("first", on: host)
    clock.advance(by: .seconds(20))
    expectNoDifference(host.remainingTime, .seconds(10))
    let second = try #require(begin("second", on: host))
    expectNoDifference(host.remainingTime, .seconds(10))
    clock.advance(by: .seconds(9))
    expectNoDifference(host.openTasks, ["first", "second"])
    host.endTask(second)
    clock.advance(by: .seconds(1))
    expectNoDifference(host.openTasks, [])
    expectNoDifference(host.operations.suffix(2), [.expired("first"), .ended("first")])
    expectNoDifference(host.remainingTime, .seconds(30))
    let third = try #require(begin("third", on: host))
    clock.advance(by: .seconds(29))
    expectNoDifference(host.openTasks, ["third"])
    host.endTask(third)
    clock.advance(by: .seconds(100))
    expectNoDifference(host.operations.suffix(2), [.began("third"), .ended("third")])
    expectNoDifference(clock.timerCount, 0)
  }

  @Test("A remaining time that is set while tasks are open replaces their deadline; nil removes it")
  func remainingTime() {
    let host = InMemoryBackgroundTaskHost(clock: clock, remainingTime: .seconds(5))
    begin("upload", on: host)
    clock.advance(by: .seconds(4))
    host.remainingTime = .seconds(3)
    clock.advance(by: .seconds(2))
    expectNoDifference(host.openTasks, ["upload"])
    host.remainingTime = nil
    clock.advance(by: .seconds(1000))
    expectNoDifference(host.remainingTime, nil)
    expectNoDifference(host.openTasks, ["upload"])
    host.remainingTime = .seconds(1)
    clock.advance(by: .seconds(1))
    expectNoDifference(host.openTasks, [])
    expectNoDifference(clock.timerCount, 0)
  }

  @Test("In an expiration handler, no task is granted and no time remains")
  func noGrantAfterExpiration() {
    let host = InMemoryBackgroundTaskHost(clock: clock)
    let box = Box()
    box.task = host.beginTask(named: "upload") {
      expectNoDifference(host.remainingTime, .zero)
      expectNoDifference(host.beginTask(named: "more") {}, nil)
      host.endTask(box.task!)
    }
    host.expire()
    expectNoDifference(
      host.operations,
      [.began("upload"), .expired("upload"), .refused("more"), .ended("upload")]
    )
  }

  @Test("A clock that another thread moves calls expiration handlers on the main actor")
  func clockMovedElsewhere() async {
    let host = InMemoryBackgroundTaskHost(clock: clock)
    let box = Box()
    await withCheckedContinuation { continuation in
      box.task = host.beginTask(named: "upload") {
        MainActor.preconditionIsolated()
        host.endTask(box.task!)
        continuation.resume()
      }
      onOtherThread { [clock] in clock.advance(by: .seconds(30)) }
    }
    expectNoDifference(host.operations, [.began("upload"), .expired("upload"), .ended("upload")])
  }

  @Test("Handlers are released when the task is ended, and the host is not kept alive by its timer")
  func handlersAreReleasedAtTheEnd() {
    final class Captured: Sendable {}
    var captured: Captured? = Captured()
    weak let observed = captured
    var host: InMemoryBackgroundTaskHost? = InMemoryBackgroundTaskHost(clock: clock)
    weak let observedHost = host
    let task = host!.beginTask(named: "upload") { [captured] in _ = captured }
    captured = nil
    #expect(observed != nil)
    host?.endTask(task!)
    #expect(observed == nil)
    begin("expiring", on: host!)
    host?.expire()
    host = nil
    #expect(observedHost == nil)
    expectNoDifference(clock.timerCount, 0)
  }

  // MARK: Mistakes

  @Test("A task that is ended twice, or was never begun, is reported where the host was made")
  func endedTwiceOrNeverBegun() {
    expectFailures(
      """
      +10: The background task "upload" was ended twice. End each task exactly once, when the \
      first of these happens: its work is done, it expires, or it is cancelled.
      """,
      """
      +10: Background task number -1 was ended but never begun. Pass an identifier that \
      beginTask(named:onExpiration:) of the same host returned.
      """
    ) {
      let host = InMemoryBackgroundTaskHost()
      let task = begin("upload", on: host)!
      host.endTask(task)
      host.endTask(task)
      host.endTask(BackgroundTaskID(rawValue: -1))
      expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
    }
  }

  @Test("An open task is reported once: where none is expected, or where the host was made")
  func openTasks() {
    expectFailures(
      """
      +12: The background task "upload" was still open when no open task was expected. End every \
      task: the system kills a process that leaves one open.
      """,
      """
      +10: The background task "save" was still open when its host was released. End every task: \
      the system kills a process that leaves one open.
      """
    ) {
      var host: InMemoryBackgroundTaskHost? = InMemoryBackgroundTaskHost()
      begin("upload", on: host!)
      host!.expectNoOpenTasks()
      host!.expectNoOpenTasks()
      begin("save", on: host!)
      host = nil
    }
  }

  @Test("A handler that does not end its task is reported where it expired; the late end is not")
  func notEndedByItsHandler() {
    expectFailures(
      """
      +8: The background task "upload" was still open when its expiration handler returned. The \
      system kills a process at that point. End the task in the handler.
      """
    ) {
      let host = InMemoryBackgroundTaskHost()
      let task = host.beginTask(named: "upload") {}
      host.expire()
      host.endTask(task!)
      expectNoDifference(host.operations, [.began("upload"), .expired("upload")])
      expectNoDifference(host.openTasks, [])
    }
  }

  @Test("A mistake of another thread is reported when the test looks at the host again")
  func otherThread() {
    let host = InMemoryBackgroundTaskHost()
    onOtherThread { host.endTask(BackgroundTaskID(rawValue: 7)) }
    expectFailures(
      """
      +-2: Background task number 7 was ended but never begun. Pass an identifier that \
      beginTask(named:onExpiration:) of the same host returned.
      """
    ) {
      _ = host.operations
    }
    expectNoDifference(reportedIssues { _ = host.operations }, [])
  }

  @Test("Tasks that several threads begin and end on one host are each recorded once")
  func severalThreadsUseOneHost() async {
    let host = InMemoryBackgroundTaskHost(clock: clock)
    let (refusals, unseen) = (Counter(), Counter())
    await awaitOtherThreads(5) { thread in
      for number in 0..<100 {
        let name = "\(thread) \(number)"
        if thread == 4 {
          host.isGranting.toggle()
        } else if let task = host.beginTask(named: name, onExpiration: {}) {
          if !host.openTasks.contains(name) { unseen.add() }
          host.endTask(task)
          if !host.operations.reversed().contains(.ended(name)) { unseen.add() }
        } else {
          refusals.add()
        }
      }
    }
    expectNoDifference(unseen.count, 0)
    let operations = Set(host.operations)
    expectNoDifference(host.operations.count, operations.count)
    expectNoDifference(operations.count, 2 * 400 - refusals.count)
    expectNoDifference(clock.timerCount, 0)
    host.expectNoOpenTasks()
  }
}
