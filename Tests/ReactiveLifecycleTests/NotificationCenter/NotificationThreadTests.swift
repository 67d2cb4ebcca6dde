import CustomDump
import Foundation
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Several threads post at once. To be run under the thread sanitizer.
@Suite("NotificationCenter source: threads")
struct NotificationThreadTests {
  private final class Scene: Sendable {}

  private let center = NotificationCenter()
  private let bus = NonisolatedLifecycleBus(clock: ManualClock())

  private func connect() throws -> LifecycleCancellable {
    try bus.connect(.notificationCenter(center, table: .uiScenes))
  }

  private var participants: [String] {
    bus.diagnostics.participants.map { "\($0.name) \($0.phase)" }
  }

  private func post(_ stem: String, _ scene: Scene) {
    center.post(name: Notification.Name("UIScene\(stem)Notification"), object: scene)
  }

  /// Lets two threads go on together.
  private final class Meeting: Sendable {
    private let arrived = Atomic(0)

    func wait() {
      arrived.add(1, ordering: .acquiringAndReleasing)
      while arrived.load(ordering: .acquiring) < 2 { sched_yield() }
    }
  }

  @Test("A scene for which two threads post at once is one participant")
  func oneScene() async throws {
    for _ in 0..<300 {
      // The identifier is asked for just before the participant is looked up.
      let meeting = Meeting()
      var table = NotificationTable()
      let subject = NotificationSubject.object("scene") { _ in
        meeting.wait()
        return nil
      }
      table.add(.didBecomeActive, for: "UISceneDidActivateNotification", about: subject)
      let connection = try bus.connect(.notificationCenter(center, table: table))
      let scene = Scene()
      await awaitOtherThreads(2) { _ in post("DidActivate", scene) }
      expectNoDifference(participants, ["application unknown", "scene 1 active"])
      connection.cancel()
      withExtendedLifetime(scene) {}
    }
  }

  @Test("Scenes that come and go on several threads leave no participant behind")
  func comeAndGo() async throws {
    let connection = try connect()
    center.post(name: Notification.Name("UIApplicationDidFinishLaunchingNotification"), object: nil)
    await awaitOtherThreads(8) { thread in
      for turn in 0..<50 {
        let scene = Scene()
        post("DidActivate", scene)
        if turn % 2 == thread % 2 { post("DidDisconnect", scene) }
        withExtendedLifetime(scene) {}
      }
    }
    let last = Scene()
    post("DidDisconnect", last)
    expectNoDifference(participants, ["application background"])
    expectNoDifference(bus.phase, .background)
    connection.cancel()
    withExtendedLifetime(last) {}
  }

  /// Says when it is released.
  private final class Doomed: Sendable {
    let farewell: @Sendable () -> Void

    init(farewell: @escaping @Sendable () -> Void) { self.farewell = farewell }
    deinit { farewell() }
  }

  @Test("An object that is released while its participant is looked up may post in its deinit")
  func releasedWhenAsked() async throws {
    let connection = try connect()
    let other = Scene()
    let asking = Locked<ObjectIdentifier?>(nil)
    let isDone = Atomic(false)
    let farewell = { @Sendable in
      guard asking.withLock({ $0 }) == ObjectIdentifier(Thread.current) else { return }
      isDone.store(true, ordering: .relaxed)
      post("DidEnterBackground", other)
    }
    await awaitOtherThreads(2) { thread in
      if thread == 0 {
        asking.withLock { $0 = ObjectIdentifier(Thread.current) }
        while !isDone.load(ordering: .relaxed) { post("DidActivate", other) }
      } else {
        // It happens within a few hundred turns.
        for _ in 0..<5_000 where !isDone.load(ordering: .relaxed) {
          let scenes = (0..<10).map { _ in Doomed(farewell: farewell) }
          for scene in scenes {
            let name = Notification.Name("UISceneDidActivateNotification")
            center.post(name: name, object: scene)
          }
          withExtendedLifetime(scenes) {}
        }
        isDone.store(true, ordering: .relaxed)
      }
    }
    post("DidActivate", other)
    expectNoDifference(participants.count, 2, "the application and the other one")
    connection.cancel()
    withExtendedLifetime(other) {}
  }

  @Test("A connection that is cancelled while threads post leaves no participant")
  func cancelledWhileOthersPost() async throws {
    for _ in 0..<20 {
      let connection = try connect()
      let scene = Scene()
      await awaitOtherThreads(4) { thread in
        if thread == 3 { connection.cancel() }
        post(thread == 2 ? "DidDisconnect" : "DidActivate", scene)
      }
      expectNoDifference(participants, [])
      withExtendedLifetime((connection, scene)) {}
    }
  }
}
