@_exported import Foundation

public enum WKApplicationState: Int, Sendable {
  case active = 0
  case inactive = 1
  case background = 2
}

@available(watchOS 7, *)
@MainActor open class WKApplication: NSObject {
  public class var didFinishLaunchingNotification: Notification.Name { fatalError() }
  public class var willEnterForegroundNotification: Notification.Name { fatalError() }
  public class var didBecomeActiveNotification: Notification.Name { fatalError() }

  override public init() { fatalError() }
  open class func shared() -> WKApplication { fatalError() }
  open var applicationState: WKApplicationState { fatalError() }
}

// For applications of two targets; deprecated since watchOS 9.2.
@available(*, deprecated)
@MainActor open class WKExtension: NSObject {
  override public init() { fatalError() }
  open class func shared() -> WKExtension { fatalError() }
  open var applicationState: WKApplicationState { fatalError() }
}

open class WKExtendedRuntimeSession: NSObject {
  override public init() { fatalError() }
  open weak var delegate: (any WKExtendedRuntimeSessionDelegate)?
  open func start() { fatalError() }
  open func invalidate() { fatalError() }
}

public enum WKExtendedRuntimeSessionInvalidationReason: Int, Sendable {
  case error
  case none
  case expired
}

public protocol WKExtendedRuntimeSessionDelegate: NSObjectProtocol {
  func extendedRuntimeSessionWillExpire(_ extendedRuntimeSession: WKExtendedRuntimeSession)
  func extendedRuntimeSession(
    _ extendedRuntimeSession: WKExtendedRuntimeSession,
    didInvalidateWith reason: WKExtendedRuntimeSessionInvalidationReason,
    error: (any Error)?
  )
}

// Stands for `@objc optional`.
extension WKExtendedRuntimeSessionDelegate {
  public func extendedRuntimeSessionWillExpire(_ extendedRuntimeSession: WKExtendedRuntimeSession) {
    fatalError()
  }
  public func extendedRuntimeSession(
    _ extendedRuntimeSession: WKExtendedRuntimeSession,
    didInvalidateWith reason: WKExtendedRuntimeSessionInvalidationReason,
    error: (any Error)?
  ) {
    fatalError()
  }
}
