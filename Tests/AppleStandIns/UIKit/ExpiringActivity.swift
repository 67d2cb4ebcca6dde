import Foundation

// What Apple's Foundation has on all platforms but macOS.
extension ProcessInfo {
  public func performExpiringActivity(
    withReason reason: String,
    using block: @escaping @Sendable (Bool) -> Void
  ) {
    fatalError()
  }
}
