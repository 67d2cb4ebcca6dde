import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleJournaling
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Unimplemented doubles")
struct UnimplementedDoubleTests {
  @Test("Each use of a host for tasks fails the test where it was made, and does no harm")
  @MainActor func eachUseOfTaskHostFailsTest() {
    let failures = failuresOfDouble {
      let host = UnimplementedBackgroundTaskHost()
      expectNoDifference(host.beginTask(named: "upload") { Issue.record("called") }, nil)
      host.endTask(BackgroundTaskID(rawValue: 3))
      expectNoDifference(host.remainingTime, nil)
    }
    expectNoDifference(
      failures,
      [
        "the task \"upload\" was begun", "task number 3 was ended", "the remaining time was read",
      ]
      .map {
        """
        +1: An unimplemented host for background tasks was used: \($0). If the test expects this, \
        pass an InMemoryBackgroundTaskHost instead.
        """
      }
    )
  }

  @Test("Each use of a host for fetches fails the test where it was made, and does no harm")
  func eachUseOfFetchHostFailsTest() {
    let failures = failuresOfDouble {
      let host = UnimplementedBackgroundFetchHost()
      host.setMinimumInterval(.seconds(900))
      host.setMinimumInterval(nil)
      host.setFetchHandler { _ in Issue.record("called") }
      host.setFetchHandler(nil)
    }
    expectNoDifference(
      failures,
      [
        "the minimum interval was set to 900.0 seconds", "the minimum interval was set to never",
        "a handler was set", "a handler was removed",
      ].map {
        """
        +1: An unimplemented host for background fetches was used: \($0). If the test expects \
        this, pass an InMemoryBackgroundFetchHost instead.
        """
      }
    )
  }

  @Test("A journal that is opened on a file system fails the test where it was made, and throws")
  func openingAJournalFailsTheTest() throws {
    let failures = failuresOfDouble {
      let files = JournalFileSystem.unimplemented()
      let bus = NonisolatedLifecycleBus(clock: ManualClock())
      #expect(throws: LifecycleJournal.OpenError.cannotOpen(path: "/state", errno: ENOSYS)) {
        try LifecycleJournal(at: "/state", of: bus, fileSystem: files)
      }
    }
    expectNoDifference(
      failures,
      [
        """
        +1: An unimplemented file system was used: a journal was opened at /state. If the test \
        expects this, pass .inMemory(files) or .system instead.
        """
      ]
    )
  }

  @Test("A use on another thread is reported when the double is released; no use, never")
  func otherThread() {
    let line = #line + 1
    var host: UnimplementedBackgroundTaskHost? = UnimplementedBackgroundTaskHost()
    onOtherThread { [host] in _ = host?.beginTask(named: "upload") {} }
    let issues = reportedIssues {
      host = nil
      _ = UnimplementedBackgroundFetchHost()
      _ = JournalFileSystem.unimplemented()
    }
    expectNoDifference(issues.map(\.line), [line])
    expectNoDifference(issues.map { $0.message.contains("the task \"upload\" was begun") }, [true])
    #expect(host == nil)
  }
}

@Suite("In-memory hosts without a clock")
@MainActor
struct StillHostTests {
  @Test("No time passes: no deadline of a fetch is missed, and only a call expires a task")
  func timeStandsStill() async {
    let fetches = InMemoryBackgroundFetchHost()
    let requests = Collector<BackgroundFetchRequest>()
    fetches.setFetchHandler { requests($0) }
    fetches.beginFetch(deadline: .nanoseconds(1))
    let tasks = InMemoryBackgroundTaskHost(remainingTime: .nanoseconds(1))
    let task = Locked<BackgroundTaskID?>(nil)
    task.exchange(
      tasks.beginTask(named: "upload") { [weak tasks] in
        if let id = task.withLock({ $0 }) { tasks?.endTask(id) }
      }
    )
    // A timer of the system fires that was due, and set, after those of a host would be.
    let clock = SystemLifecycleClock()
    let timer = Locked<LifecycleCancellable?>(nil)
    await withCheckedContinuation { continuation in
      timer.exchange(
        clock.schedule(at: clock.continuous + .milliseconds(10)) { continuation.resume() }
      )
    }
    await mainQueueToDrain()
    expectNoDifference(fetches.operations, [.began(1)])
    requests.values[0].complete(.newData)
    expectNoDifference(tasks.openTasks, ["upload"])
    expectNoDifference(tasks.remainingTime, .nanoseconds(1))
    tasks.expire()
    expectNoDifference(tasks.operations, [.began("upload"), .expired("upload"), .ended("upload")])
  }
}
