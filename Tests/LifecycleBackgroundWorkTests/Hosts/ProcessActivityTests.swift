import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleSupport
import TestSupport
import Testing

/// The host of Mac applications, against a double of the system.
@MainActor
@Suite("Activities of a Mac application")
struct ProcessActivityTests {
  /// What begins and ends activities, as `ProcessInfo` does.
  private final class System: Sendable {
    private let state = Locked<(next: Int, open: [Int: String])>((0, [:]))

    /// The reasons of the activities that hold the process now, the oldest first.
    var open: [String] {
      state.withLock { $0.open.sorted { $0.key < $1.key }.map(\.value) }
    }

    func begin(_ reason: String) -> ProcessActivityHost.Activity {
      state.withLock { state in
        state.next += 1
        state.open[state.next] = reason
        return ProcessActivityHost.Activity(NSNumber(value: state.next))
      }
    }

    func end(_ activity: ProcessActivityHost.Activity) {
      let number = (activity.value as? NSNumber)?.intValue ?? 0
      let ended = state.withLock { $0.open.removeValue(forKey: number) }
      #expect(ended != nil, "ended once")
    }
  }

  private let system = System()
  private let center = NotificationCenter()
  private let end = Notification.Name("NSApplicationWillTerminateNotification")
  private let host: ProcessActivityHost
  private let coordinator: BackgroundTaskCoordinator

  init() {
    host = ProcessActivityHost(center: center, end: end) { [system] in
      system.begin($0)
    } end: { [system] in
      system.end($0)
    }
    coordinator = BackgroundTaskCoordinator(host: host)
  }

  @Test("Each task has an activity, which ends once")
  func eachTaskHasItsActivity() throws {
    let ids = try ["a", "", "c"].map { try #require(host.beginTask(named: $0) {}) }
    expectNoDifference(system.open, ["a", "background task", "c"])
    host.endTask(ids[0])
    host.endTask(ids[0])
    expectNoDifference(system.open, ["background task", "c"])
    host.endTask(ids[2])
    host.endTask(ids[1])
    expectNoDifference(system.open, [])
  }

  @Test("When the application ends, the handlers are called before the notification's post returns")
  func applicationEnds() {
    let log = Trace()
    let tasks = ["a", "b"].map { name in coordinator.beginTask(named: name) { log(name) } }
    center.post(name: end, object: nil)
    expectNoDifference(log.lines, ["a", "b"])
    expectNoDifference(tasks.map(\.isExpired), [true, true])
    expectNoDifference(system.open, [])
  }
}
