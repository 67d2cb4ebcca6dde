import Foundation

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

  public func beginActivity(
    options: ProcessInfo.ActivityOptions,
    reason: String
  ) -> any NSObjectProtocol {
    fatalError()
  }

  public func endActivity(_ activity: any NSObjectProtocol) { fatalError() }
}
