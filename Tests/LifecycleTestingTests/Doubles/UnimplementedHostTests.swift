import CustomDump
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Unimplemented hosts")
struct UnimplementedHostTests {
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

  @Test("A use on another thread is reported when the host is released")
  func otherThread() {
    var host: UnimplementedBackgroundTaskHost? = UnimplementedBackgroundTaskHost()
    onOtherThread { [host] in _ = host?.beginTask(named: "upload") {} }
    let failures = failuresOfDouble { host = nil }
    expectNoDifference(
      failures,
      [
        """
        +-2: An unimplemented host for background tasks was used: the task "upload" was begun. If \
        the test expects this, pass an InMemoryBackgroundTaskHost instead.
        """
      ]
    )
  }

  @Test("Hosts that are not used say nothing")
  func unusedHostsAreSilent() {
    let failures = failuresOfDouble {
      _ = UnimplementedBackgroundTaskHost()
      _ = UnimplementedBackgroundFetchHost()
    }
    expectNoDifference(failures, [])
  }
}
