#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

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

extension BootID {
  /// The identity that the operating system gives to this boot: on Linux
  /// `/proc/sys/kernel/random/boot_id`, on Apple platforms `kern.bootsessionuuid`; nil if it can't be
  /// read. It is read once.
  static let system: BootID? = {
    let text = systemText.map { String(decoding: $0.prefix { $0 > 0x20 }, as: UTF8.self) }
    return text.flatMap { $0.isEmpty ? nil : BootID(rawValue: $0) }
  }()

  #if canImport(Darwin)
    private static var systemText: [UInt8]? {
      var text = [UInt8](repeating: 0, count: 64)
      var count = text.count
      return sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0 ? text : nil
    }
  #else
    private static var systemText: [UInt8]? {
      let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var text = [UInt8](repeating: 0, count: 64)
      return read(file, &text, text.count) > 0 ? text : nil
    }
  #endif
}
