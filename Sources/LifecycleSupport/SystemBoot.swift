#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Information from the operating system about the boot of the machine.
package enum SystemBoot {
  /// Reads a text that differs from boot to boot.
  ///
  /// The text is `/proc/sys/kernel/random/boot_id` on Linux, and `kern.bootsessionuuid` on Apple
  /// platforms.
  ///
  /// - Returns: The text; nil if it can't be read.
  package static func readID() -> String? {
    let text = bytes.map { String(decoding: $0.prefix { $0 > 0x20 }, as: UTF8.self) }
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }

  #if canImport(Darwin)
    private static var bytes: [UInt8]? {
      var text = [UInt8](repeating: 0, count: 64)
      var count = text.count
      return sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0 ? text : nil
    }
  #else
    private static var bytes: [UInt8]? {
      let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var text = [UInt8](repeating: 0, count: 64)
      return read(file, &text, text.count) > 0 ? text : nil
    }
  #endif
}
