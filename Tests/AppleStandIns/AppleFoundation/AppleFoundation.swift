// What the sources use of Foundation, which on Apple platforms shows Darwin and not Glibc. Each name
// is listed, as in `Darwin/Glibc.swift`. `import Foundation` becomes an import of this module.

import Combine
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
@_exported import class Foundation.NSError
@_exported import class Foundation.NSLock
@_exported import class Foundation.NSNumber
@_exported import class Foundation.NSObject
@_exported import protocol Foundation.NSObjectProtocol
@_exported import var Foundation.NSPOSIXErrorDomain
@_exported import func Foundation.NSTemporaryDirectory
@_exported import var Foundation.NSUnderlyingErrorKey
@_exported import struct Foundation.Notification
@_exported import struct Foundation.ObjCBool
@_exported import class Foundation.OperationQueue
@_exported import class Foundation.Pipe
@_exported import class Foundation.Process
@_exported import class Foundation.Progress
@_exported import class Foundation.RunLoop
@_exported import class Foundation.Thread
@_exported import typealias Foundation.TimeInterval
@_exported import class Foundation.Timer
@_exported import struct Foundation.URLError
@_exported import class Foundation.UserDefaults
@_exported import struct FoundationEssentials.Calendar
@_exported import struct FoundationEssentials.Data
@_exported import struct FoundationEssentials.Date
@_exported import class FoundationEssentials.FileManager
@_exported import class FoundationEssentials.JSONDecoder
@_exported import class FoundationEssentials.JSONEncoder
@_exported import class FoundationEssentials.NotificationCenter
@_exported import struct FoundationEssentials.POSIXError
@_exported import class FoundationEssentials.ProcessInfo
@_exported import struct FoundationEssentials.TimeZone
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

  #if !os(macOS)
    public func performExpiringActivity(
      withReason reason: String,
      using block: @escaping @Sendable (Bool) -> Void
    ) {
      fatalError()
    }
  #endif
}

extension Notification.Name {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  @available(macOS 12, *)
  public static var NSProcessInfoPowerStateDidChange: Notification.Name { fatalError() }
}

#if os(macOS)
  open class DistributedNotificationCenter: NotificationCenter {
    public required init() { fatalError() }

    open class func `default`() -> DistributedNotificationCenter { fatalError() }
  }
#endif

extension NSObject {
  public class func isSubclass(of aClass: AnyClass) -> Bool { fatalError() }
}

extension URL {
  @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
  public static var documentsDirectory: URL { fatalError() }
}

extension RunLoop {
  public struct SchedulerOptions {}
}

extension Timer {
  public static func publish(
    every interval: TimeInterval,
    tolerance: TimeInterval? = nil,
    on runLoop: RunLoop,
    in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> Timer.TimerPublisher {
    fatalError()
  }

  public final class TimerPublisher: ConnectablePublisher {
    public typealias Output = Date
    public typealias Failure = Never
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      fatalError()
    }
    public func connect() -> any Cancellable { fatalError() }
  }
}
