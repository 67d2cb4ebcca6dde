/// A small ELF file: the code of each symbol takes 16 bytes, from the start of the file.
public struct ElfImage {
  static let loadedAt: UInt64 = 0x4000

  public let bytes: [UInt8]

  public init(symbols: [(name: String, number: UInt64)], isStripped: Bool = false) {
    let header = 64
    let segments = [
      Self.segment(type: 6, offset: 0, address: 0x9_0000, size: 1 << 20),
      Self.segment(type: 1, offset: 0x40, address: Self.loadedAt + 0x40, size: 0x100),
    ]
    var names: [UInt8] = [0]
    var table = [UInt8](repeating: 0, count: 24)
    for symbol in symbols {
      table += Self.bytes(UInt32(names.count)) + [0x12, 0] + Self.bytes(UInt16(1))
      table += Self.bytes(Self.loadedAt + symbol.number * 16) + Self.bytes(UInt64(16))
      names += Array(symbol.name.utf8) + [0]
    }
    let tablePlace = UInt64(header + segments.joined().count)
    let namesPlace = tablePlace + UInt64(table.count)
    let sections = [
      Self.section(type: 0, offset: 0, size: 0, link: 0),
      Self.section(type: isStripped ? 1 : 2, offset: tablePlace, size: table.count, link: 2),
      Self.section(type: 3, offset: namesPlace, size: names.count, link: 0),
    ]
    var bytes: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
    bytes += Self.bytes(UInt16(3)) + Self.bytes(UInt16(62)) + Self.bytes(UInt32(1))
    bytes += Self.bytes(UInt64(0)) + Self.bytes(UInt64(header))
    bytes += Self.bytes(namesPlace + UInt64(names.count)) + Self.bytes(UInt32(0))
    for number in [header, 56, segments.count, 64, sections.count, 0] {
      bytes += Self.bytes(UInt16(number))
    }
    self.bytes = bytes + segments.joined() + table + names + sections.joined()
  }

  private static func segment(
    type: UInt32,
    offset: UInt64,
    address: UInt64,
    size: UInt64
  ) -> [UInt8] {
    bytes(type) + bytes(UInt32(5)) + bytes(offset) + bytes(address) + bytes(address) + bytes(size)
      + bytes(size) + bytes(UInt64(16))
  }

  private static func section(type: UInt32, offset: UInt64, size: Int, link: UInt32) -> [UInt8] {
    bytes(UInt32(0)) + bytes(type) + bytes(UInt64(0)) + bytes(UInt64(0)) + bytes(offset)
      + bytes(UInt64(size)) + bytes(link) + bytes(UInt32(0)) + bytes(UInt64(8)) + bytes(UInt64(24))
  }

  private static func bytes(_ integer: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: integer.littleEndian, Array.init)
  }
}
