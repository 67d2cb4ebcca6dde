import Foundation

open class WKExtendedRuntimeSession: NSObject {
  override public init() { fatalError() }
  open weak var delegate: (any WKExtendedRuntimeSessionDelegate)?
  open func start() { fatalError() }
  open func invalidate() { fatalError() }
}

public enum WKExtendedRuntimeSessionInvalidationReason: Int, Sendable {
  case error
  case none
  case sessionInProgress
  case expired
  case resignedFrontmost
  case suppressedBySystem
}

public protocol WKExtendedRuntimeSessionDelegate: NSObjectProtocol {
  func extendedRuntimeSessionDidStart(_ extendedRuntimeSession: WKExtendedRuntimeSession)
  func extendedRuntimeSessionWillExpire(_ extendedRuntimeSession: WKExtendedRuntimeSession)
  func extendedRuntimeSession(
    _ extendedRuntimeSession: WKExtendedRuntimeSession,
    didInvalidateWith reason: WKExtendedRuntimeSessionInvalidationReason,
    error: (any Error)?
  )
}

// Stands for `@objc optional`.
extension WKExtendedRuntimeSessionDelegate {
  public func extendedRuntimeSessionDidStart(_ extendedRuntimeSession: WKExtendedRuntimeSession) {
    fatalError()
  }
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
