/// Information from the operating system about the boot of the machine.
package enum SystemBoot {
  /// Reads a text that differs from boot to boot.
  ///
  /// The text is `/proc/sys/kernel/random/boot_id` on Linux, and `kern.bootsessionuuid` on Apple
  /// platforms. In a time namespace whose clocks have another origin, as in a container that was
  /// restored from a checkpoint, the offsets are part of it.
  ///
  /// - Returns: The text; nil if it can't be read.
  package static func readID() -> String? {
    text.flatMap(id(in:)).map { $0 + offset(in: offsets ?? "") }
  }

  /// Returns the offsets of the clocks in a file `timens_offsets` as a suffix, such as
  /// ` boottime:86400.0`; empty if the clocks have the origin of the machine.
  package static func offset(in text: String) -> String {
    let offsets = text.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard words.count == 3, words[1...] != ["0", "0"] else { return nil }
      return " \(words[0]):\(words[1]).\(words[2])"
    }
    return offsets.joined()
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
    private static let offsets: String? = nil
  #else
    private static var text: String? { KernelFile.text(at: "/proc/sys/kernel/random/boot_id") }
    private static var offsets: String? { KernelFile.text(at: "/proc/self/timens_offsets") }
  #endif
}
