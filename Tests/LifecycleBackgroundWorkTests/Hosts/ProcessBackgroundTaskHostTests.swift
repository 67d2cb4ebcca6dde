import CustomDump
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleSupport
import TestSupport
import Testing

#if os(macOS) || !canImport(Darwin)
  /// Without a stop or an end under way; those are for `TaskTests`.
  @MainActor
  @Suite("The process as a host of background tasks")
  struct ProcessBackgroundTaskHostTests {
    @Test("The process grants tasks, and its remaining time is the grace period")
    func grantsAndSaysHowLongStopWouldWait() throws {
      let host = ProcessBackgroundTaskHost.process()
      // A stop adds the longest one to an instant.
      let hosts: [ProcessBackgroundTaskHost] = [
        host, .process(grace: .milliseconds(200)), .process(grace: .seconds(-1)),
        .process(grace: .seconds(Int64.max) * 15),
      ]
      expectNoDifference(
        hosts.map { $0.remainingTime },
        [.seconds(5), .milliseconds(200), .zero, .seconds(Int64.max)]
      )
      let first = try #require(host.beginTask(named: "first") { Issue.record("It is not up") })
      let second = try #require(host.beginTask(named: "second") { Issue.record("It is not up") })
      #expect(first != second)
      host.endTask(first)
      host.endTask(first)
      host.endTask(second)
    }

    @Test("What a handler captured is released with the end of its task")
    func capturesAreReleasedAtTheEnd() throws {
      final class Object: Sendable {}
      var object: Object? = Object()
      weak let weakObject = object
      let host = ProcessBackgroundTaskHost.process()
      let task = host.beginTask(named: "task") { [object] in _ = object }
      object = nil
      #expect(weakObject != nil)
      host.endTask(try #require(task))
      #expect(weakObject == nil)
    }

    @Test("A body under a task of the application's coordinator runs on its caller's actor")
    func applicationCoordinatorAndBodyUnderItsTask() async {
      #expect(BackgroundTaskCoordinator.application === BackgroundTaskCoordinator.application)
      let names = await withBackgroundTask(named: "application's upload") {
        MainActor.assertIsolated()
        await Task.yield()
        MainActor.assertIsolated()
        return BackgroundTaskCoordinator.application.grantedTasks
      }
      #expect(names.contains("application's upload"), "other tests may have theirs")
      expectNoDifference(BackgroundTaskCoordinator.application.remainingTime, .seconds(5))
    }

    @Test("Tasks that several threads begin and end at the same time are different ones")
    func severalThreads() async {
      let host = ProcessBackgroundTaskHost.process(grace: .milliseconds(200))
      let ids = Locked<[BackgroundTaskID]>([])
      await awaitOtherThreads(4) { _ in
        for _ in 0..<500 {
          guard
            let id = host.beginTask(named: "task", onExpiration: { Issue.record("It is not up") })
          else { continue }
          ids.withLock { $0.append(id) }
          host.endTask(id)
        }
      }
      expectNoDifference(Set(ids.withLock { $0 }).count, 2_000)
      expectNoDifference(host.remainingTime, .milliseconds(200))
    }
  }
#endif
