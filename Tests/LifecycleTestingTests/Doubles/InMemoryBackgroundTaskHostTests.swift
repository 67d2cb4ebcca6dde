import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("In-memory host for background tasks")
@MainActor
struct InMemoryBackgroundTaskHostTests {
  let clock = ManualClock()

  /// Begins a task that its handler ends.
  @discardableResult
  func begin(_ name: String, on host: InMemoryBackgroundTaskHost) -> BackgroundTaskID? {
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

  @Test("Begins and ends are recorded in order, with their names")
  func beginsAndEndsAreRecorded() throws {
    let host = InMemoryBackgroundTaskHost()
    let first = try #require(begin("upload", on: host))
    let second = try #require(begin("save", on: host))
    #expect(first != second)
    expectNoDifference(host.openTasks, ["upload", "save"])
    host.endTask(first)
    expectNoDifference(host.openTasks, ["save"])
    host.endTask(second)
    host.expectNoOpenTasks()
    expectNoDifference(
      host.operations,
      [.began("upload"), .began("save"), .ended("upload"), .ended("save")]
    )
  }

  @Test("A refused task is nil; its handler is never called, and released")
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

  @Test("Expiration calls the handlers synchronously, in order, once")
  func expirationCallsHandlersSynchronously() {
    let host = InMemoryBackgroundTaskHost()
    begin("upload", on: host)
    begin("save", on: host)
    host.expire()
    host.expire()
    expectNoDifference(
      host.operations,
      [
        .began("upload"), .began("save"),
        .expired("upload"), .ended("upload"), .expired("save"), .ended("save"),
      ]
    )
  }

  @Test("One task can expire by itself")
  func expirationByName() {
    let host = InMemoryBackgroundTaskHost()
    begin("upload", on: host)
    begin("save", on: host)
    begin("upload", on: host)
    host.expire("upload")
    expectNoDifference(host.openTasks, ["save"])
    host.expire("save")
    expectNoDifference(host.openTasks, [])
  }

  @Test("A handler may end other tasks, whose handlers are not called then")
  func handlerEndsOthers() {
    let host = InMemoryBackgroundTaskHost()
    let second = Box()
    let first = Box()
    first.task = host.beginTask(named: "first") {
      host.endTask(second.task!)
      host.endTask(first.task!)
    }
    second.task = host.beginTask(named: "second") { Issue.record("called") }
    host.expire()
    expectNoDifference(
      host.operations,
      [.began("first"), .began("second"), .expired("first"), .ended("second"), .ended("first")]
    )
  }

  @Test("A grant goes by the clock, from the first task to the last; the next one is new")
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

  @Test("The remaining time can be set, also while tasks are open")
  func remainingTime() throws {
    let host = InMemoryBackgroundTaskHost(clock: clock)
    host.remainingTime = .seconds(5)
    expectNoDifference(host.remainingTime, .seconds(5))
    begin("upload", on: host)
    clock.advance(by: .seconds(4))
    host.remainingTime = .seconds(3)
    clock.advance(by: .seconds(2))
    expectNoDifference(host.openTasks, ["upload"])
    host.remainingTime = nil
    expectNoDifference(host.remainingTime, nil)
    clock.advance(by: .seconds(1000))
    expectNoDifference(host.openTasks, ["upload"])
    host.remainingTime = .seconds(1)
    clock.advance(by: .seconds(1))
    expectNoDifference(host.openTasks, [])
    begin("later", on: host)
    clock.advance(by: .milliseconds(999))
    expectNoDifference(host.openTasks, ["later"])
    clock.advance(by: .milliseconds(1))
    expectNoDifference(host.openTasks, [])
    expectNoDifference(clock.timerCount, 0)
  }

  @Test("A grant may last longer than any clock can count")
  func extremeTime() throws {
    let host = InMemoryBackgroundTaskHost(
      clock: clock,
      remainingTime: Duration(attoseconds: .max)
    )
    let task = begin("upload", on: host)
    host.remainingTime = Duration(attoseconds: .max)
    clock.advance(by: .seconds(1))
    expectNoDifference(host.openTasks, ["upload"])
    host.endTask(try #require(task))
  }

  @Test("While time is up nothing is granted, and none remains")
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

  @Test("Time without a limit is up when the tasks expire")
  func expirationWithoutLimit() {
    let host = InMemoryBackgroundTaskHost(clock: clock, remainingTime: nil)
    let box = Box()
    box.task = host.beginTask(named: "upload") {
      expectNoDifference(host.remainingTime, .zero)
      expectNoDifference(host.beginTask(named: "more") {}, nil)
      host.endTask(box.task!)
    }
    expectNoDifference(host.remainingTime, nil)
    host.expire()
    expectNoDifference(
      host.operations,
      [.began("upload"), .expired("upload"), .refused("more"), .ended("upload")]
    )
    expectNoDifference(host.remainingTime, nil)
  }

  @Test("A clock that is moved elsewhere has the handlers called on the main actor")
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

  @Test("A task that is ended twice is reported where the host was made")
  func endedTwice() {
    let failures = failuresOfDouble {
      let host = InMemoryBackgroundTaskHost()
      let task = begin("upload", on: host)!
      host.endTask(task)
      host.endTask(task)
      expectNoDifference(host.operations, [.began("upload"), .ended("upload")])
    }
    expectNoDifference(
      failures,
      [
        """
        +1: The background task "upload" was ended twice. End each task exactly once, when the \
        first of these happens: its work is done, it expires, or it is cancelled.
        """
      ]
    )
  }

  @Test("A task that was never begun is reported", arguments: [0, 1, -1, Int.max, .min + 1])
  func neverBegun(_ number: Int) {
    let failures = failuresOfDouble {
      let host = InMemoryBackgroundTaskHost()
      host.endTask(BackgroundTaskID(rawValue: number))
      expectNoDifference(host.operations, [])
    }
    expectNoDifference(
      failures,
      [
        """
        +1: Background task number \(number) was ended but never begun. Pass an identifier that \
        beginTask(named:onExpiration:) of the same host returned.
        """
      ]
    )
  }

  @Test("A task that is open at the end is reported where that was asked, and not once more")
  func openTasks() {
    let failures = failuresOfDouble {
      let host = InMemoryBackgroundTaskHost()
      begin("upload", on: host)
      begin("save", on: host)
      host.expectNoOpenTasks()
      host.expectNoOpenTasks()
    }
    expectNoDifference(
      failures,
      ["upload", "save"].map {
        """
        +4: The background task "\($0)" was still open when no open task was expected. End every \
        task: the system kills a process that leaves one open.
        """
      }
    )
  }

  @Test("What the handler of a task holds that was given up is released")
  func openTaskReleases() {
    final class Captured: Sendable {}
    var captured: Captured? = Captured()
    weak let observed = captured
    let host = InMemoryBackgroundTaskHost()
    _ = host.beginTask(named: "upload") { [captured] in _ = captured }
    captured = nil
    #expect(observed != nil)
    expectNoDifference(failuresOfDouble { host.expectNoOpenTasks() }.count, 1)
    #expect(observed == nil)
  }

  @Test("A task that is open when its host is released is reported where the host was made")
  func openAtTheRelease() {
    let failures = failuresOfDouble {
      var host: InMemoryBackgroundTaskHost?
      host = InMemoryBackgroundTaskHost()
      begin("upload", on: host!)
      host = nil
    }
    expectNoDifference(
      failures,
      [
        """
        +2: The background task "upload" was still open when its host was released. End every \
        task: the system kills a process that leaves one open.
        """
      ]
    )
  }

  @Test("A handler that does not end its task is reported where it expired; a late end is not")
  func notEndedByItsHandler() {
    let failures = failuresOfDouble {
      let host = InMemoryBackgroundTaskHost()
      let task = host.beginTask(named: "upload") {}
      host.expire()
      host.endTask(task!)
      expectNoDifference(host.operations, [.began("upload"), .expired("upload")])
      expectNoDifference(host.openTasks, [])
    }
    expectNoDifference(
      failures,
      [
        """
        +3: The background task "upload" was still open when its expiration handler returned. The \
        system kills a process at that point. End the task in the handler.
        """
      ]
    )
  }

  @Test("By the clock, that is reported where the host was made")
  func notEndedByTheClock() {
    let failures = failuresOfDouble {
      let host = InMemoryBackgroundTaskHost(clock: clock)
      _ = host.beginTask(named: "upload") {}
      clock.advance(by: .seconds(30))
    }
    expectNoDifference(
      failures,
      [
        """
        +1: The background task "upload" was still open when its expiration handler returned. The \
        system kills a process at that point. End the task in the handler.
        """
      ]
    )
  }

  @Test("A name that no open task has can't expire")
  func unknownName() {
    let failures = failuresOfDouble {
      let host = InMemoryBackgroundTaskHost()
      host.expire("upload")
      begin("a", on: host)
      begin("b", on: host)
      host.expire("upload")
      host.expire()
    }
    expectNoDifference(
      failures,
      [
        "+2: The background task \"upload\" can't expire because it is not open. Open tasks: none.",
        "+5: The background task \"upload\" can't expire because it is not open. Open tasks: \"a\", \"b\".",
      ]
    )
  }

  @Test("A mistake of another thread is reported when the test looks at the host again")
  func otherThread() {
    let host = InMemoryBackgroundTaskHost()
    onOtherThread { host.endTask(BackgroundTaskID(rawValue: 7)) }
    let failures = failuresOfDouble { _ = host.operations }
    expectNoDifference(
      failures,
      [
        """
        +-2: Background task number 7 was ended but never begun. Pass an identifier that \
        beginTask(named:onExpiration:) of the same host returned.
        """
      ]
    )
    expectNoDifference(failuresOfDouble { _ = host.operations }, [])
  }
}
