import LifecycleSupport

/// Which run of the machine an instant belongs to.
///
/// The continuous and the suspending clock count from the boot: two of their readings can be
/// compared only if they were taken under the same identity. What outlives the process keeps it
/// beside them.
public struct BootID: RawRepresentable, Sendable, Hashable, Codable {
  /// Text that differs from boot to boot.
  public let rawValue: String

  /// An identity as it was stored.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }
}

extension BootID: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }
}

extension BootID {
  /// The identity that the operating system gives to this boot: on Linux
  /// `/proc/sys/kernel/random/boot_id`, on Apple platforms `kern.bootsessionuuid`; nil if it can't be
  /// read. It is read once.
  static let system: BootID? = SystemBoot.readID().map { BootID(rawValue: $0) }
}
