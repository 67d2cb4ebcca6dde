import Foundation
import LifecycleSources
import LifecycleTesting
import Observation
import ReactiveLifecycle
import Testing

/// A view model as an application on any platform has it.
@Observable
@MainActor
final class PlayerModel {
  private(set) var isPlaying = false

  init(bus: LifecycleBus = .application) {
    bus.addObserver(self, for: .didEnterBackground) { player, _ in player.isPlaying = false }
  }

  func play() { isPlaying = true }
}

/// What a window's view keeps as its state.
@MainActor
final class EditorLifecycle {
  private(set) lazy var bus = LifecycleBus(parent: LifecycleBus.application)
}

/// The model of a screen that has a lifecycle of its own.
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
struct ViewModelSamples {
  func injectedBus() {
    let bus = LifecycleBus(clock: ManualClock())
    let player = PlayerModel(bus: bus)
    bus.send(.didBecomeActive)
    player.play()
    bus.send(.didEnterBackground)
    #expect(!player.isPlaying)
  }

  func applicationBus() {
    let bus = LifecycleBus(clock: ManualClock())
    let player = LifecycleBus.withApplication(bus) { PlayerModel() }
    player.play()
    bus.send(.didEnterBackground)
    #expect(!player.isPlaying)
  }

  func screen() {
    let application = LifecycleBus(clock: ManualClock())
    let screen = LifecycleBus(parent: application)
    let map = MapModel(screen: screen)
    application.send(.didBecomeActive)
    #expect(!map.isTracking)
    screen.send(.didBecomeActive)
    #expect(map.isTracking)
    application.send(.didEnterBackground)
    #expect(!map.isTracking)
  }

  func rawNames() throws {
    let center = NotificationCenter()
    let bus = LifecycleBus(clock: ManualClock())
    let connection = try bus.connect(.notificationCenter(center, table: .uiApplication))
    let player = PlayerModel(bus: bus)
    player.play()
    center.post(name: Notification.Name("UIApplicationDidEnterBackgroundNotification"), object: nil)
    #expect(!player.isPlaying)
    connection.cancel()
  }
}
