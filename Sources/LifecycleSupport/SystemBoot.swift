/// Information from the operating system about the boot of the machine.
package enum SystemBoot {
  /// Reads a text that differs from boot to boot.
  ///
  /// The text is `/proc/sys/kernel/random/boot_id` on Linux, and `kern.bootsessionuuid` on Apple
  /// platforms.
  ///
  /// - Returns: The text; nil if it can't be read.
  package static func readID() -> String? {
    text.flatMap(id(in:))
  }

  /// Returns the text up to the first blank or control character; nil if there is none.
  package static func id(in text: String) -> String? {
    let id = text.unicodeScalars.prefix { $0 > " " }
    return id.isEmpty ? nil : String(id)
  }

  #if canImport(Darwin)
    private static var text: String? {
      var bytes = [UInt8](repeating: 0, count: 64)
      var count = bytes.count
      guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  #else
    private static var text: String? { KernelFile.text(at: "/proc/sys/kernel/random/boot_id") }
  #endif
}
