// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported import Foundation

@MainActor open class NSResponder: NSObject {
  override public init() { fatalError() }
  // The framework requires it, by `NSCoding`.
  public required init?(coder: NSCoder) { fatalError() }
}

@MainActor open class NSApplication: NSResponder {
  public struct OcclusionState: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
    public static var visible: NSApplication.OcclusionState { fatalError() }
  }

  public enum TerminateReply: UInt, Sendable {
    case terminateCancel = 0
    case terminateNow = 1
    case terminateLater = 2
  }

  public class var didFinishLaunchingNotification: Notification.Name { fatalError() }

  open class var shared: NSApplication { fatalError() }
  open var isActive: Bool { fatalError() }
  open var isHidden: Bool { fatalError() }
  open var occlusionState: NSApplication.OcclusionState { fatalError() }
  open func reply(toApplicationShouldTerminate shouldTerminate: Bool) { fatalError() }
}

@MainActor public var NSApp: NSApplication! {
  get { fatalError() }
  set { fatalError() }
}

open class NSRunningApplication: NSObject, @unchecked Sendable {
  open class var current: NSRunningApplication { fatalError() }
  open var isFinishedLaunching: Bool { fatalError() }
}

// Neither isolated nor Sendable.
open class NSWorkspace: NSObject {
  open class var shared: NSWorkspace { fatalError() }
  open var notificationCenter: NotificationCenter { fatalError() }
}
