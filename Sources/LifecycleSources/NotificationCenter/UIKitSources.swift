#if canImport(UIKit) && !os(watchOS)
  import Foundation
  public import ReactiveLifecycle
  public import UIKit

  extension LifecycleSource where Self == NotificationCenterSource {
    /// The application, by `UIApplication`'s notifications: on iOS, tvOS, visionOS and Mac Catalyst.
    ///
    /// ```swift
    /// let connection = try bus.connect(.uiApplication)
    /// ```
    ///
    /// UIKit posts them for applications with scenes too; they tell of the most forward scene. Connected
    /// late, it reports where the application stands. Before `UIApplicationMain` there is nobody to ask:
    /// the phase stays `unknown` until the first notification.
    public static var uiApplication: Self {
      NotificationCenterSource(table: .uiApplication, name: "uiApplication") {
        UIApplication.current.map { [Notification(name: $0.standing, object: $0)] } ?? []
      }
    }

    /// All scenes of the application, each a participant of its own: the bus is as far forward as the most
    /// forward of them, and in the background when there is none. Connected late, it reports where they
    /// stand.
    ///
    /// ```swift
    /// let connection = try bus.connect(.uiScenes)
    /// ```
    ///
    /// It can be connected beside ``uiApplication``, to one bus: nothing fires twice. Memory warnings and
    /// other notices come from that one alone.
    public static var uiScenes: Self {
      NotificationCenterSource(table: .uiScenes, name: "uiScenes") {
        guard let application = UIApplication.current else { return [] }
        let launch = Notification(name: UIApplication.didFinishLaunchingNotification)
        return [launch] + application.connectedScenes.compactMap(\.standing)
      }
    }

    /// One scene, for a bus of its own, such as one under the application's. When the scene is
    /// disconnected the bus ends.
    ///
    /// ```swift
    /// let window = LifecycleBus(parent: LifecycleBus.application)
    /// let connection = try window.connect(.uiScene(scene))
    /// ```
    ///
    /// - Parameter scene: Not kept alive.
    public static func uiScene(_ scene: UIScene) -> Self {
      NotificationCenterSource(
        object: scene,
        table: .uiScene(identifier: sceneIdentifier),
        name: "uiScene"
      ) { [weak scene] in
        scene?.standing.map { [$0] } ?? []
      }
    }
  }

  extension UIApplication {
    /// The application; nil before `UIApplicationMain`. App extensions may not name `shared`. Any thread.
    nonisolated static var current: UIApplication? {
      let selector = NSSelectorFromString("sharedApplication")
      guard UIApplication.responds(to: selector) else { return nil }
      return UIApplication.perform(selector)?.takeUnretainedValue() as? UIApplication
    }

    /// The notification that tells where the application stands.
    fileprivate var standing: Notification.Name {
      switch applicationState {
      case .active: UIApplication.didBecomeActiveNotification
      case .inactive: UIApplication.willEnterForegroundNotification
      case .background: UIApplication.didFinishLaunchingNotification
      @unknown default: UIApplication.didFinishLaunchingNotification
      }
    }
  }

  extension UIScene {
    /// The notification that tells where the scene stands; nil before it is connected.
    fileprivate var standing: Notification? {
      let name: Notification.Name? =
        switch activationState {
        case .foregroundActive: UIScene.didActivateNotification
        case .foregroundInactive: UIScene.willEnterForegroundNotification
        case .background: UIScene.willConnectNotification
        case .unattached: nil
        @unknown default: nil
        }
      return name.map { Notification(name: $0, object: self) }
    }
  }
#endif

/// The identifier of a scene's session. It can be read where scenes live: on the main actor.
@Sendable
func sceneIdentifier(_ object: AnyObject) -> String? {
  #if canImport(UIKit) && !os(watchOS)
    guard MainQueue.isCurrent, let scene = object as? UIScene else { return nil }
    return MainActor.assumeIsolated { scene.session.persistentIdentifier }
  #else
    return nil
  #endif
}
