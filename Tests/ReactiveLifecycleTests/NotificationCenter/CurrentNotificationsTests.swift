import CustomDump
import Foundation
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

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
    expectNoDifference(bus.diagnostics.suppressedCounts[.disconnected, default: 0], 0)
  }

  @Test("Connected on the main actor, the bus has the state that exists when connect returns")
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

  @Test("Connected on another thread, the source reads the state that exists on the main actor")
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

  @Test("Cancelled before the main actor has run, the source never reads the state that exists")
  func cancelledBefore() async throws {
    let connection = try #require(connectElsewhere(cancelling: true))
    await mainActorToRun()
    expectNoDifference(timesAsked, 0)
    expectNoDifference(bus.phase, .unknown)
    expectNoDifference(bus.diagnostics.suppressedCounts[.disconnected, default: 0], 0)
    withExtendedLifetime(connection) {}
  }

  /// An application before the first unlock of the device, and its source, as `.uiApplication` is.
  private final class LockedApplication: Sendable {
    let center = NotificationCenter()
    let exists: Locked<Bool>

    init(exists: Bool) { self.exists = Locked(exists) }

    func source() -> NotificationCenterSource {
      let launch = Notification.Name("UIApplicationDidFinishLaunchingNotification")
      return NotificationCenterSource(center: center, table: .uiApplication) { [self] in
        exists.withLock { $0 } ? [Notification(name: launch)] : []
      } isProtectedDataAvailable: { [self] in
        exists.withLock { $0 } ? false : nil
      }
    }
  }

  @Test("Launched before the first unlock: observers of the phase find protected data unavailable")
  func protectedDataUnavailable() throws {
    let application = LockedApplication(exists: true)
    let trace = Trace()
    let token = bus.addObserver { [bus] event in
      trace("\(event.kind) \(bus.isProtectedDataAvailable)")
    }
    let connection = try bus.connect(application.source())
    application.center.post(
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

  @Test(
    "Connected before the application exists, it reads protected data at the launch at the latest"
  )
  func protectedDataBeforeApplication() async throws {
    for isTaskFirst in [true, false] {
      let bus = LifecycleBus(clock: ManualClock())
      let (application, trace) = (LockedApplication(exists: false), Trace())
      let token = bus.addObserver { trace("\($0.kind)") }
      let connection = try bus.connect(application.source())
      #expect(bus.isProtectedDataAvailable)
      application.exists.exchange(true)
      if isTaskFirst {
        await Task { @MainActor in #expect(!bus.isProtectedDataAvailable) }.value
      }
      application.center.post(
        name: Notification.Name("UIApplicationDidFinishLaunchingNotification"),
        object: nil
      )
      await mainActorToRun()
      expectNoDifference(
        trace.lines,
        ["protectedDataWillBecomeUnavailable", "didFinishLaunching"]
      )
      withExtendedLifetime((token, connection)) {}
    }
  }
}
