import CustomDump
import Foundation
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleSources

/// What a source that is connected late finds out of how things stand.
@MainActor
@Suite("NotificationCenter source: connected late")
struct CurrentNotificationsTests {
  private final class Scene: Sendable {}

  /// Two scenes that were there before anybody listened, and a count of who asked.
  private final class World: Sendable {
    let center = NotificationCenter()
    let scenes = [Scene(), Scene()]
    let asked = Locked(0)

    /// As `.uiScenes` is on a device: the launch, then where each scene stands.
    func source() -> NotificationCenterSource {
      NotificationCenterSource(center: center, table: .uiScenes) { [self] in
        MainActor.assertIsolated()
        asked.withLock { $0 += 1 }
        return [
          notification("UIApplicationDidFinishLaunchingNotification"),
          notification("UISceneDidActivateNotification", scenes[0]),
          notification("UISceneWillConnectNotification", scenes[1]),
          notification("UISceneDidActivateNotification"),
          notification("Unlisted", scenes[1]),
        ]
      }
    }

    private func notification(_ name: String, _ scene: Scene? = nil) -> Notification {
      Notification(name: Notification.Name(name), object: scene)
    }
  }

  private let world = World()
  private let bus = LifecycleBus(clock: ManualClock())

  private var participants: [String] {
    bus.diagnostics.participants.map { "\($0.name) \($0.phase)" }
  }
  private var timesAsked: Int { world.asked.withLock { $0 } }

  /// Connects on another thread, while the main thread waits.
  private func connectElsewhere(cancelling: Bool) -> LifecycleCancellable? {
    onOtherThread { [world, bus] in
      let connection = try? bus.connect(world.source())
      if cancelling { connection?.cancel() }
      return connection
    }
  }

  /// Returns after all that waits for the main actor now.
  private func mainActorToRun() async {
    await Task { @MainActor in }.value
    await mainQueueToDrain()
  }

  /// What a source in the centre would send now would be suppressed.
  private func expectNobodyListens() {
    world.center.post(
      name: Notification.Name("UIApplicationDidFinishLaunchingNotification"),
      object: nil
    )
    expectNoDifference(bus.suppressedCount(.disconnected), 0)
  }

  @Test("On the main actor the bus has heard it through the table when connect returns")
  func onMainActor() throws {
    var kinds: [LifecycleEvent.Kind] = []
    let token = bus.addObserver { kinds.append($0.kind) }
    let connection = try bus.connect(world.source())
    expectNoDifference(timesAsked, 1)
    expectNoDifference(kinds, [.didFinishLaunching, .willEnterForeground, .didBecomeActive])
    expectNoDifference(
      participants,
      ["application background", "scene 1 active", "scene 2 background"]
    )
    // What is posted afterwards is about the same participants; the last scene's end is the background.
    for scene in world.scenes {
      world.center.post(
        name: Notification.Name("UISceneDidDisconnectNotification"),
        object: scene
      )
    }
    expectNoDifference(participants, ["application background"])
    expectNoDifference(bus.phase, .background)
    let second = try bus.connect(world.source())
    expectNoDifference(timesAsked, 2, "once for each connection")
    token.cancel()
    second.cancel()
    connection.cancel()
    expectNobodyListens()
  }

  @Test("Elsewhere it is asked on the main actor, soon after")
  func askedOnTheMainActor() async throws {
    let connection = try #require(connectElsewhere(cancelling: false))
    expectNoDifference(timesAsked, 0)
    expectNoDifference(bus.phase, .unknown)
    await mainActorToRun()
    expectNoDifference(timesAsked, 1)
    expectNoDifference(bus.phase, .active)
    connection.cancel()
    expectNobodyListens()
  }

  @Test("Cancelled before the main actor got round to it, it is never asked")
  func cancelledBefore() async throws {
    let connection = try #require(connectElsewhere(cancelling: true))
    await mainActorToRun()
    expectNoDifference(timesAsked, 0)
    expectNoDifference(bus.phase, .unknown)
    expectNoDifference(bus.suppressedCount(.disconnected), 0)
    withExtendedLifetime(connection) {}
  }

  @Test("Launched before the first unlock: observers of the phase find protected data unavailable")
  func protectedDataUnavailable() throws {
    let center = NotificationCenter()
    let trace = Trace()
    let token = bus.addObserver { [bus] event in
      trace("\(event.kind) \(bus.isProtectedDataAvailable)")
    }
    // As `.uiApplication` is on a device.
    let current: @MainActor @Sendable () -> [Notification] = {
      let launch = Notification.Name("UIApplicationDidFinishLaunchingNotification")
      let names = NotificationTable.current(launch, isProtectedDataAvailable: false)
      return names.map { Notification(name: $0) }
    }
    let connection = try bus.connect(
      .notificationCenter(center, table: .uiApplication, current: current)
    )
    center.post(
      name: Notification.Name("UIApplicationProtectedDataDidBecomeAvailable"),
      object: nil
    )
    expectNoDifference(
      trace.lines,
      [
        "protectedDataWillBecomeUnavailable false", "didFinishLaunching false",
        "protectedDataDidBecomeAvailable true",
      ]
    )
    withExtendedLifetime((token, connection)) {}
  }

  @Test("Connected before there is an application, it is asked about protected data a turn later")
  func connectedTooEarly() async throws {
    let trace = Trace()
    let token = bus.addObserver { trace("\($0.kind)") }
    let launches = Locked(false)
    let connection = try bus.connect(
      NotificationCenterSource(center: NotificationCenter(), table: .uiApplication) {
        // Without scenes, `.uiApplication` finds `inactive` during a launch, also if it is prewarmed.
        let inactive = Notification.Name("UIApplicationWillEnterForegroundNotification")
        let names = NotificationTable.current(inactive, isProtectedDataAvailable: false)
        return launches.exchange(true) ? names.map { Notification(name: $0) } : nil
      }
    )
    #expect(bus.isProtectedDataAvailable)
    await mainActorToRun()
    expectNoDifference(trace.lines, ["protectedDataWillBecomeUnavailable"])
    #expect(!bus.isProtectedDataAvailable)
    expectNoDifference(bus.phase, .unknown)
    withExtendedLifetime((token, connection)) {}
  }
}
