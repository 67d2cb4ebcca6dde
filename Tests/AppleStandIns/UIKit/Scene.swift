import Foundation

@MainActor open class UIScene: UIResponder {
  public enum ActivationState: Int, Sendable {
    case unattached = -1
    case foregroundActive = 0
    case foregroundInactive = 1
    case background = 2
  }

  @MainActor open class ConnectionOptions: NSObject {
    @available(*, unavailable)
    override public init() { fatalError() }
  }

  nonisolated public class var willConnectNotification: Notification.Name { fatalError() }
  nonisolated public class var willEnterForegroundNotification: Notification.Name { fatalError() }
  nonisolated public class var didActivateNotification: Notification.Name { fatalError() }
  nonisolated public class var willDeactivateNotification: Notification.Name { fatalError() }
  nonisolated public class var didEnterBackgroundNotification: Notification.Name { fatalError() }
  nonisolated public class var didDisconnectNotification: Notification.Name { fatalError() }

  @available(*, unavailable)
  override public init() { fatalError() }
  public init(session: UISceneSession, connectionOptions: UIScene.ConnectionOptions) {
    fatalError()
  }

  open var session: UISceneSession { fatalError() }
  open var delegate: (any UISceneDelegate)? {
    get { fatalError() }
    set { fatalError() }
  }
  open var activationState: ActivationState { fatalError() }
}

@MainActor open class UIWindowScene: UIScene {
  open var windows: [UIWindow] { fatalError() }
  open var keyWindow: UIWindow? { fatalError() }
}

@MainActor open class UISceneSession: NSObject {
  public struct Role: Hashable, RawRepresentable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { fatalError() }
    public static var windowApplication: UISceneSession.Role { fatalError() }
  }

  @available(*, unavailable)
  override public init() { fatalError() }

  open var scene: UIScene? { fatalError() }
  open var role: UISceneSession.Role { fatalError() }
  open var persistentIdentifier: String { fatalError() }
}

@MainActor open class UISceneConfiguration: NSObject {
  public init(name: String?, sessionRole: UISceneSession.Role) { fatalError() }
  open var name: String? { fatalError() }
  open var role: UISceneSession.Role { fatalError() }
  open var sceneClass: AnyClass? {
    get { fatalError() }
    set { fatalError() }
  }
  open var delegateClass: AnyClass? {
    get { fatalError() }
    set { fatalError() }
  }
}

@MainActor public protocol UISceneDelegate: NSObjectProtocol {
  func scene(
    _ scene: UIScene,
    willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  )
  func sceneDidDisconnect(_ scene: UIScene)
  func sceneDidBecomeActive(_ scene: UIScene)
  func sceneWillResignActive(_ scene: UIScene)
  func sceneWillEnterForeground(_ scene: UIScene)
  func sceneDidEnterBackground(_ scene: UIScene)
}

// Stands for `@objc optional`.
extension UISceneDelegate {
  public func scene(
    _ scene: UIScene,
    willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    fatalError()
  }
  public func sceneDidDisconnect(_ scene: UIScene) { fatalError() }
  public func sceneDidBecomeActive(_ scene: UIScene) { fatalError() }
  public func sceneWillResignActive(_ scene: UIScene) { fatalError() }
  public func sceneWillEnterForeground(_ scene: UIScene) { fatalError() }
  public func sceneDidEnterBackground(_ scene: UIScene) { fatalError() }
}

@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
  var window: UIWindow? { get set }
}

// Stands for `@objc optional`.
extension UIWindowSceneDelegate {
  public var window: UIWindow? {
    get { fatalError() }
    set { fatalError() }
  }
}
