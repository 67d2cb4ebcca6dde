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

@MainActor open class UIWindowScene: UIScene {}

@MainActor open class UISceneSession: NSObject {
  @available(*, unavailable)
  override public init() { fatalError() }

  open var persistentIdentifier: String { fatalError() }
}

@MainActor public protocol UISceneDelegate: NSObjectProtocol {
  func scene(
    _ scene: UIScene,
    willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  )
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
