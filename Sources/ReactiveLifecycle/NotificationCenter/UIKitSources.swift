#if canImport(UIKit) && !os(watchOS)
  import Foundation
  public import LifecycleCore
  public import UIKit

  extension LifecycleSource where Self == NotificationCenterSource {
    /// The application on iOS, tvOS, visionOS, and Mac Catalyst, based on the notifications of
    /// `UIApplication`.
    ///
    /// ```swift
    /// try bus.connect(.uiApplication, in: scope)
    /// ```
    ///
    /// UIKit also posts these for applications with scenes; they then describe the most forward
    /// scene. If connected late, the source reports the application's current phase, and before it
    /// `protectedDataWillBecomeUnavailable` if protected data is unavailable. Before
    /// `UIApplicationMain`, there is no application to ask: the phase stays `unknown` until the
    /// first notification, and protected data is asked for in the next turn of the main actor, at
    /// the latest before that notification. So a task of the main actor, not an initializer of the
    /// `App`, finds whether it is available.
    public static var uiApplication: Self {
      NotificationCenterSource(table: .uiApplication, name: "uiApplication") {
        UIApplication.current.map { [Notification(name: $0.standing, object: $0)] } ?? []
      } isProtectedDataAvailable: {
        UIApplication.current?.isProtectedDataAvailable
      }
    }

    /// All scenes of the application, each a separate participant.
    ///
    /// The bus is as far forward as the most forward scene, and in the background if there is
    /// none. If connected late, the source reports the current phases of the scenes.
    ///
    /// ```swift
    /// try bus.connect(.uiScenes, in: scope)
    /// ```
    ///
    /// It can be connected to the same bus as ``uiApplication``: no event is sent twice. Memory
    /// warnings and other notices come only from ``uiApplication``.
    public static var uiScenes: Self {
      NotificationCenterSource(table: .uiScenes, name: "uiScenes") {
        guard let application = UIApplication.current else { return [] }
        let launch = Notification(name: UIApplication.didFinishLaunchingNotification)
        return [launch] + application.connectedScenes.compactMap(\.standing)
      }
    }

    /// Returns a source for one scene, for a dedicated bus such as one under the application's.
    ///
    /// When the scene is disconnected, the bus ends.
    ///
    /// ```swift
    /// let window = LifecycleBus(parent: .application)
    /// try window.connect(.uiScene(scene), in: scope)
    /// ```
    ///
    /// - Parameter scene: The scene. The connection does not keep it alive.
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
    /// The application, or nil before `UIApplicationMain`. Thread-safe.
    ///
    /// App extensions may not use `shared` by name.
    nonisolated package static var current: UIApplication? {
      let selector = NSSelectorFromString("sharedApplication")
      guard UIApplication.responds(to: selector) else { return nil }
      return UIApplication.perform(selector)?.takeUnretainedValue() as? UIApplication
    }

    /// The name of the notification that corresponds to the application's current state.
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
    /// The notification that corresponds to the scene's current state, or nil before it is
    /// connected.
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

/// Returns the identifier of a scene's session, which can be read only on the main actor.
@Sendable
func sceneIdentifier(_ object: AnyObject) -> String? {
  #if canImport(UIKit) && !os(watchOS)
    guard let scene = object as? UIScene else { return nil }
    return MainQueue.ifCurrent { scene.session.persistentIdentifier }
  #else
    return nil
  #endif
}
