import Foundation
import LifecycleCombine
import LifecycleTesting
import Observation
import ReactiveLifecycle
import Testing

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@Observable
@MainActor
final class PlayerModel {
  private(set) var isPlaying = false

  init(bus: LifecycleBus = .application) {
    bus.addObserver(self, for: .didEnterBackground) { player, _ in player.isPlaying = false }
  }

  func play() { isPlaying = true }
}

@MainActor
final class MapModel {
  private(set) var isTracking = false

  init(screen: LifecycleBus) {
    screen.addObserver(self, for: [.didBecomeActive, .willResignActive]) { map, event in
      map.isTracking = event.phase == .active
    }
  }
}

@MainActor
final class EditorModel {
  private(set) var saves = 0

  init(bus: LifecycleBus = .application) {
    bus.addObserver(self, for: .didEnterBackground) { editor, _ in editor.save() }
  }

  func save() { saves += 1 }
}

/// The tests of a player, as the articles on UIKit and SwiftUI have them.
@Suite("Documentation: tests of a player")
@MainActor
struct PlayerTests {
  private let scope = LifecycleScope()

  @Test("A player that receives a bus pauses in the background")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func injectedBus() {
    let bus = LifecycleBus(clock: ManualClock())
    let player = PlayerModel(bus: bus)
    bus.send(.didBecomeActive)
    player.play()
    bus.send(.didEnterBackground)
    #expect(!player.isPlaying)
  }

  @Test("A player of the application's bus, which a test replaces, pauses in the background")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func applicationBus() {
    let bus = LifecycleBus(clock: ManualClock())
    let player = LifecycleBus.withApplication(bus) { PlayerModel() }
    player.play()
    bus.send(.didEnterBackground)
    #expect(!player.isPlaying)
  }

  @Test("A player pauses when the center of its bus posts UIKit's notification")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func rawNames() throws {
    let center = NotificationCenter()
    let bus = LifecycleBus(clock: ManualClock())
    try bus.connect(.notificationCenter(center, table: .uiApplication), in: scope)
    let player = PlayerModel(bus: bus)
    player.play()
    center.post(name: Notification.Name("UIApplicationDidEnterBackgroundNotification"), object: nil)
    #expect(!player.isPlaying)
  }
}

// MARK: Moving from other libraries

@MainActor
private final class MovedModel {
  init(_ bus: LifecycleBus, in scope: LifecycleScope) {
    bus.onOpen(at: .active, in: scope) { [weak self] _ in self?.reload() }

    bus.phases
      .sink { [weak self] phase in self?.show(phase) }
      .store(in: scope)

    bus.publisher(for: .didEnterBackground)
      .sink { [weak self] _ in self?.save() }
      .store(in: scope)
  }

  private func reload() {}
  private func show(_ phase: LifecyclePhase) {}
  private func save() {}
}

// MARK: Tables

@MainActor
private func tableSamples(_ bus: LifecycleBus, in scope: LifecycleScope) throws {
  let table: NotificationTable = [
    "UIApplicationDidEnterBackgroundNotification": .didEnterBackground,
    "UIApplicationWillEnterForegroundNotification": .willEnterForeground,
  ]
  var windows = NotificationTable()
  windows.add(.didBecomeActive, for: "NSWindowDidBecomeKeyNotification", about: .object("window"))
  windows.add(.willTerminate, for: "NSWindowWillCloseNotification", about: .object("window"))
  try bus.connect(.notificationCenter(table: .uiApplication), in: scope)
  _ = (table, windows)
}

@MainActor
private func extensionSamples(_ bus: LifecycleBus, in scope: LifecycleScope) throws {
  do {
    try bus.connect(.macExtension, in: scope)
  }
  try bus.connect(.extensionHost, in: scope)
}

// MARK: Scenes

private struct WindowSource: LifecycleSource {
  let name: LifecycleSourceName = "windows"

  func start(_ feed: LifecycleFeed) -> @Sendable () -> Void {
    let window = feed.part(as: .participant("window 2"))
    window.send(.didBecomeActive)
    window.disconnect()
    return {}
  }
}

@MainActor
private final class SceneLog {
  init(_ bus: LifecycleBus, in scope: LifecycleScope) {
    bus.addObserver(for: .willEnterForeground, in: scope) { [self] event in
      log("in sight: \(event.metadata["scene"] ?? "the application")")
    }
  }

  private func log(_ line: String) {}
}

/// What the participants and the bus say, column by column of the article's table.
@MainActor
func twoScenes() throws -> [[String]] {
  let center = NotificationCenter()
  let bus = LifecycleBus(clock: ManualClock())
  let (application, left, right) = (NSObject(), NSObject(), NSObject())
  var columns: [[String]] = []
  func post(_ name: String, _ object: NSObject) {
    center.post(name: Notification.Name(name), object: object)
  }
  func column() {
    let participants = bus.diagnostics.participants
    let phases = ["application", "scene 1", "scene 2"].map { name in
      participants.first { $0.name.rawValue == name }?.phase.rawValue ?? "–"
    }
    columns.append(phases + [bus.phase.rawValue])
  }

  let scope = LifecycleScope()
  try bus.connect(.notificationCenter(center, table: .uiScenes), in: scope)
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
  scope.end()
  return columns
}
