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

  public class var didFinishLaunchingNotification: Notification.Name { fatalError() }

  open class var shared: NSApplication { fatalError() }
  open weak var delegate: (any NSApplicationDelegate)? {
    get { fatalError() }
    set { fatalError() }
  }
  open var isActive: Bool { fatalError() }
  open var isHidden: Bool { fatalError() }
  open var isRunning: Bool { fatalError() }
  open var occlusionState: NSApplication.OcclusionState { fatalError() }
}

@MainActor public var NSApp: NSApplication! {
  get { fatalError() }
  set { fatalError() }
}

// The protocol is not isolated, its methods are.
public protocol NSApplicationDelegate: NSObjectProtocol {
  @MainActor func applicationWillFinishLaunching(_ notification: Notification)
  @MainActor func applicationDidFinishLaunching(_ notification: Notification)
  @MainActor func applicationDidHide(_ notification: Notification)
  @MainActor func applicationDidUnhide(_ notification: Notification)
  @MainActor func applicationDidBecomeActive(_ notification: Notification)
  @MainActor func applicationWillResignActive(_ notification: Notification)
  @MainActor func applicationDidResignActive(_ notification: Notification)
  @MainActor func applicationWillTerminate(_ notification: Notification)
  @MainActor func applicationDidChangeOcclusionState(_ notification: Notification)
  @MainActor func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool
}

// Stands for `@objc optional`.
extension NSApplicationDelegate {
  @MainActor public func applicationWillFinishLaunching(_ notification: Notification) {
    fatalError()
  }
  @MainActor public func applicationDidFinishLaunching(_ notification: Notification) {
    fatalError()
  }
  @MainActor public func applicationDidHide(_ notification: Notification) { fatalError() }
  @MainActor public func applicationDidUnhide(_ notification: Notification) { fatalError() }
  @MainActor public func applicationDidBecomeActive(_ notification: Notification) { fatalError() }
  @MainActor public func applicationWillResignActive(_ notification: Notification) { fatalError() }
  @MainActor public func applicationDidResignActive(_ notification: Notification) { fatalError() }
  @MainActor public func applicationWillTerminate(_ notification: Notification) { fatalError() }
  @MainActor public func applicationDidChangeOcclusionState(_ notification: Notification) {
    fatalError()
  }
  @MainActor public func applicationShouldTerminateAfterLastWindowClosed(
    _ sender: NSApplication
  ) -> Bool {
    fatalError()
  }
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
