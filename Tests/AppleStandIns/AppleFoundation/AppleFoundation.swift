// What the sources use of Foundation, which on Apple platforms shows Darwin and not Glibc. Each name
// is listed, as in `Darwin/Glibc.swift`. `import Foundation` becomes an import of this module.

@_exported import Darwin
@_exported import Dispatch

@_exported import class Foundation.Bundle
@_exported import struct Foundation.CGRect
@_exported import protocol Foundation.CustomNSError
@_exported import class Foundation.FileHandle
@_exported import class Foundation.InputStream
@_exported import class Foundation.JSONSerialization
@_exported import func Foundation.NSClassFromString
@_exported import class Foundation.NSCoder
@_exported import protocol Foundation.NSCoding
@_exported import class Foundation.NSError
@_exported import class Foundation.NSNumber
@_exported import class Foundation.NSObject
@_exported import protocol Foundation.NSObjectProtocol
@_exported import var Foundation.NSPOSIXErrorDomain
@_exported import typealias Foundation.NSRect
@_exported import func Foundation.NSTemporaryDirectory
@_exported import var Foundation.NSUnderlyingErrorKey
@_exported import struct Foundation.Notification
@_exported import struct Foundation.ObjCBool
@_exported import class Foundation.Pipe
@_exported import class Foundation.Process
@_exported import class Foundation.Progress
@_exported import class Foundation.RunLoop
@_exported import class Foundation.Thread
@_exported import typealias Foundation.TimeInterval
@_exported import struct Foundation.URLError
@_exported import struct FoundationEssentials.Data
@_exported import struct FoundationEssentials.Date
@_exported import struct FoundationEssentials.FileAttributeKey
@_exported import class FoundationEssentials.FileManager
@_exported import class FoundationEssentials.JSONDecoder
@_exported import class FoundationEssentials.JSONEncoder
@_exported import class FoundationEssentials.NotificationCenter
@_exported import struct FoundationEssentials.POSIXError
@_exported import class FoundationEssentials.ProcessInfo
@_exported import class FoundationEssentials.PropertyListDecoder
@_exported import struct FoundationEssentials.URL
@_exported import struct FoundationEssentials.UUID

// What Apple's Foundation has on all platforms, and Linux's has not.
extension ProcessInfo {
  public struct ActivityOptions: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { fatalError() }
    public static var suddenTerminationDisabled: ProcessInfo.ActivityOptions { fatalError() }
    public static var automaticTerminationDisabled: ProcessInfo.ActivityOptions { fatalError() }
    public static var userInitiatedAllowingIdleSystemSleep: ProcessInfo.ActivityOptions {
      fatalError()
    }
  }

  public enum ThermalState: Int, Sendable {
    case nominal = 0
    case fair = 1
    case serious = 2
    case critical = 3
  }

  public class var thermalStateDidChangeNotification: Notification.Name { fatalError() }
  public var thermalState: ThermalState { fatalError() }
  @available(macOS 12, *)
  public var isLowPowerModeEnabled: Bool { fatalError() }

  public func beginActivity(
    options: ProcessInfo.ActivityOptions,
    reason: String
  ) -> any NSObjectProtocol {
    fatalError()
  }

  public func endActivity(_ activity: any NSObjectProtocol) { fatalError() }
}

extension Notification.Name {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @available(macOS 12, *)
  public static var NSProcessInfoPowerStateDidChange: Notification.Name { fatalError() }
}

extension NSObject {
  public class func isSubclass(of aClass: AnyClass) -> Bool { fatalError() }
}
