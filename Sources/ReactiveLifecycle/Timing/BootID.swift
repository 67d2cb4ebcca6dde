import LifecycleSupport

/// The identity of a boot: the run of the machine that an instant belongs to.
///
/// The continuous and the suspending clock count from the boot. Two of their readings can be
/// compared only if they were taken under the same identity. Data that outlives the process stores
/// the identity beside them.
public struct BootID: RawRepresentable, Sendable, Hashable, Codable {
  /// A text that differs from boot to boot.
  public let rawValue: String

  /// Creates an identity from its stored text.
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
  /// The identity that the operating system gives to this boot; nil if it can't be read.
  ///
  /// It is `/proc/sys/kernel/random/boot_id` on Linux, and `kern.bootsessionuuid` on Apple
  /// platforms. It is read once.
  static let system: BootID? = SystemBoot.readID().map { BootID(rawValue: $0) }
}
