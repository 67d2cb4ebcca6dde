/// CRC-32C, the checksum of iSCSI and ext4.
///
/// It detects every error burst of up to 32 bits.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
    (0..<8).reduce(index) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82f6_3b78 }
  }

  static func crc32c(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(.max) { crc, byte in
      table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8
    }
  }
}
