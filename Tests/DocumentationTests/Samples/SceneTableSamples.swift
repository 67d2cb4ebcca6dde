import Foundation
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle

/// A centre, a bus, and what an application with two scenes posts.
@MainActor
final class SceneTableSamples {
  let center = NotificationCenter()
  let bus = LifecycleBus(clock: ManualClock())
  let application = NSObject()
  let (left, right) = (NSObject(), NSObject())
  private(set) var log: [String] = []

  private func log(_ line: String) { log.append(line) }

  func post(_ name: String, _ object: NSObject) {
    center.post(name: Notification.Name(name), object: object)
  }

  /// What the bus and the participants say, column by column of the article's table.
  func columns() throws -> [[String]] {
    var columns: [[String]] = []
    func column() {
      let participants = bus.diagnostics.participants
      let phases = ["application", "scene 1", "scene 2"].map { name in
        participants.first { $0.name.rawValue == name }?.phase.rawValue ?? "–"
      }
      columns.append(phases + [bus.phase.rawValue])
    }
    let connection = try bus.connect(.notificationCenter(center, table: .uiScenes))
    post("UIApplicationDidFinishLaunchingNotification", application)
    post("UISceneWillConnectNotification", left)
    post("UISceneWillEnterForegroundNotification", left)
    post("UISceneDidActivateNotification", left)
    post("UISceneWillConnectNotification", right)
    column()
    post("UISceneWillEnterForegroundNotification", right)
    post("UISceneDidActivateNotification", right)
    post("UISceneWillDeactivateNotification", left)
    column()
    post("UISceneDidEnterBackgroundNotification", left)
    column()
    post("UISceneDidDisconnectNotification", left)
    post("UISceneWillDeactivateNotification", right)
    column()
    post("UISceneDidEnterBackgroundNotification", right)
    column()
    connection.cancel()
    return columns
  }

  /// The events when the scene's and the application's notifications come in pairs.
  func pairs(sceneFirst: Bool) throws -> [LifecycleEvent.Kind] {
    let connections = [
      try bus.connect(.notificationCenter(center, table: .uiApplication)),
      try bus.connect(.notificationCenter(center, table: .uiScenes)),
    ]
    var kinds: [LifecycleEvent.Kind] = []
    let token = bus.addObserver { kinds.append($0.kind) }
    func pair(_ scene: String, _ application: String) {
      let posts = [
        { self.post("UIScene\(scene)Notification", self.left) },
        { self.post("UIApplication\(application)Notification", self.application) },
      ]
      for post in sceneFirst ? posts : posts.reversed() { post() }
    }
    post("UIApplicationDidFinishLaunchingNotification", application)
    post("UISceneWillConnectNotification", left)
    pair("WillEnterForeground", "WillEnterForeground")
    pair("DidActivate", "DidBecomeActive")
    pair("WillDeactivate", "WillResignActive")
    pair("DidEnterBackground", "DidEnterBackground")
    token.cancel()
    for connection in connections { connection.cancel() }
    return kinds
  }

  /// The events of a quick kill: one scene leaves, another is taken to the foreground and back.
  func quickKill() throws -> [LifecycleEvent.Kind] {
    let connection = try bus.connect(.notificationCenter(center, table: .uiScenes))
    post("UIApplicationDidFinishLaunchingNotification", application)
    post("UISceneDidActivateNotification", left)
    var kinds: [LifecycleEvent.Kind] = []
    let token = bus.addObserver { kinds.append($0.kind) }
    post("UISceneWillDeactivateNotification", left)
    post("UISceneDidDisconnectNotification", left)
    post("UISceneWillEnterForegroundNotification", right)
    post("UISceneDidEnterBackgroundNotification", right)
    post("UIApplicationWillTerminateNotification", application)
    token.cancel()
    connection.cancel()
    return kinds
  }

  /// What the observer logs when a scene with an identifier and then the application come forward.
  func sceneOfAnEvent() -> [String] {
    let scope = LifecycleScope("log")
    bus.addObserver(for: .willEnterForeground, in: scope) { [self] event in
      log("in sight: \(event.metadata["scene"] ?? "the application")")
    }
    bus.send(.willEnterForeground, metadata: ["scene": "4C7F"])
    bus.send(.didEnterBackground)
    bus.send(.willEnterForeground)
    scope.end()
    return log
  }

  /// A table of the program's own, about windows that come and go.
  func windowTable() throws -> [String] {
    var windows = NotificationTable()
    windows.add(.didBecomeActive, for: "NSWindowDidBecomeKeyNotification", about: .object("window"))
    windows.add(.willTerminate, for: "NSWindowWillCloseNotification", about: .object("window"))
    let connection = try bus.connect(.notificationCenter(center, table: windows))
    defer { connection.cancel() }
    post("NSWindowDidBecomeKeyNotification", left)
    post("NSWindowDidBecomeKeyNotification", right)
    post("NSWindowWillCloseNotification", left)
    return bus.diagnostics.participants.map(\.name.rawValue)
  }

  func macExtension() throws -> LifecyclePhase {
    let connection = try bus.connect(.macExtension)
    defer { connection.cancel() }
    return bus.phase
  }

  func extensionHost() throws -> LifecyclePhase {
    let connection = try bus.connect(.extensionHost)
    defer { connection.cancel() }
    return bus.phase
  }
}

/// A source with a part that has a say of its own, for a moment.
struct WindowSource: LifecycleSource {
  let name: LifecycleSourceName = "windows"

  func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
    let window = input.part(as: .participant("window 2"))
    window.send(.didBecomeActive)
    window.disconnect()
    return {}
  }
}
