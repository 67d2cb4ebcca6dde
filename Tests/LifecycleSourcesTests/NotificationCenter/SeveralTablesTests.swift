import CustomDump
import Foundation
import LifecycleCombine
import LifecycleSources
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Testing

/// Several tables of raw names on one centre.
@MainActor
@Suite("NotificationCenter source: several tables")
struct SeveralTablesTests {
  private let center = NotificationCenter()
  private let bus = LifecycleBus(clock: ManualClock())
  private let application = NSObject()
  private let scene = NSObject()

  /// The raw names of scenes that report on the application as a whole, as a program with one scene
  /// would write them down.
  private static let scenes: NotificationTable = [
    "UISceneWillEnterForegroundNotification": .willEnterForeground,
    "UISceneDidActivateNotification": .didBecomeActive,
    "UISceneWillDeactivateNotification": .willResignActive,
    "UISceneDidEnterBackgroundNotification": .didEnterBackground,
  ]

  private func post(_ name: String, _ object: NSObject) {
    center.post(name: Notification.Name(name), object: object)
  }

  private func connect(_ tables: [(LifecycleSourceName, NotificationTable)]) throws
    -> [LifecycleCancellable]
  {
    try tables.map { name, table in
      try bus.connect(.notificationCenter(center, table: table, name: name))
    }
  }

  @Test("The application's and the scene's notifications fire once")
  func applicationAndScene() throws {
    let connections = try connect([("application", .uiApplication), ("scene", Self.scenes)])
    let lines = Locked<[String]>([])
    let token = bus.addObserver { event in
      lines.withLock { $0.append("\(event.kind) \(event.origin)") }
    }
    // As a device posts them: the scene's and the application's, the order differing by direction.
    post("UIApplicationDidFinishLaunchingNotification", application)
    post("UISceneWillEnterForegroundNotification", scene)
    post("UIApplicationWillEnterForegroundNotification", application)
    post("UIApplicationDidBecomeActiveNotification", application)
    post("UISceneDidActivateNotification", scene)
    post("UIApplicationWillResignActiveNotification", application)
    post("UISceneWillDeactivateNotification", scene)
    post("UISceneDidEnterBackgroundNotification", scene)
    post("UIApplicationDidEnterBackgroundNotification", application)
    expectNoDifference(
      lines.withLock { $0 },
      [
        "didFinishLaunching source(application)",
        "willEnterForeground source(scene)",
        "didBecomeActive source(application)",
        "willResignActive source(application)",
        "didEnterBackground source(scene)",
      ]
    )
    expectNoDifference(bus.suppressedCount(.duplicate), 4)
    token.cancel()
    for connection in connections { connection.cancel() }
  }

  @Test("Two identical tables fire once; without the one, the other goes on")
  func identicalTables() throws {
    let connections = try connect([("one", .uiApplication), ("two", .uiApplication)])
    let kinds = Locked<[LifecycleEvent.Kind]>([])
    let token = bus.addObserver { event in kinds.withLock { $0.append(event.kind) } }
    post("UIApplicationDidFinishLaunchingNotification", application)
    post("UIApplicationWillEnterForegroundNotification", application)
    post("UIApplicationDidBecomeActiveNotification", application)
    connections[0].cancel()
    post("UIApplicationWillResignActiveNotification", application)
    expectNoDifference(
      kinds.withLock { $0 },
      [.didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive]
    )
    expectNoDifference(bus.suppressedCount(.duplicate), 3)
    token.cancel()
    connections[1].cancel()
  }

  @Test("Resumed by one table and suspended by the other, the bus does not get stuck")
  func resumeAndSuspend() throws {
    let connections = try connect([("application", .uiApplication), ("scene", Self.scenes)])
    let phases = Locked<[String]>([])
    func note() { phases.withLock { $0.append(bus.phase.rawValue) } }
    for _ in 0..<2 {
      post("UIApplicationDidBecomeActiveNotification", application)
      note()
      post("UISceneDidEnterBackgroundNotification", scene)
      note()
      post("UISceneDidActivateNotification", scene)
      note()
      post("UIApplicationDidEnterBackgroundNotification", application)
      note()
    }
    expectNoDifference(
      phases.withLock { $0 },
      [
        "active", "background", "active", "background", "active", "background", "active",
        "background",
      ]
    )
    #expect(bus.suppressedCount(.duplicate) == 0 && bus.suppressedCount(.masked) == 0)
    for connection in connections { connection.cancel() }
  }

  @Test("Scenes as participants: the application is as far forward as its most forward scene")
  func scenesAsParticipants() throws {
    // Each its own centre, as if a table could tell one scene from another.
    let centers = [NotificationCenter(), NotificationCenter()]
    let participants: [LifecycleParticipant] = ["left", "right"]
    let connections = try zip(centers, participants).map { center, participant in
      try bus.connect(
        .notificationCenter(
          center,
          table: Self.scenes,
          name: LifecycleSourceName(rawValue: participant.rawValue)
        ),
        as: .participant(participant)
      )
    }
    let lines = Locked<[String]>([])
    let token = bus.addObserver { event in
      lines.withLock { $0.append("\(event.kind) \(event.origin)") }
    }
    for (scene, stem) in [
      (0, "DidActivate"), (1, "WillEnterForeground"), (0, "WillDeactivate"), (1, "DidActivate"),
      (0, "DidEnterBackground"), (1, "DidEnterBackground"),
    ] {
      centers[scene].post(name: Notification.Name("UIScene\(stem)Notification"), object: self.scene)
    }
    expectNoDifference(
      lines.withLock { $0 },
      [
        "didFinishLaunching synthesized",
        "willEnterForeground synthesized",
        "didBecomeActive source(left)",
        "willResignActive source(left)",
        "didBecomeActive source(right)",
        "willResignActive synthesized",
        "didEnterBackground source(right)",
      ]
    )
    token.cancel()
    for connection in connections { connection.cancel() }
  }
}
