/// A sentence of NMEA 0183: `$`, an address, fields that are parted by commas, and a checksum.
struct NMEASentence {
  /// What is wrong with it.
  enum Flaw: Error {
    /// There is no checksum, because the sentence was cut short. The standard lets a few kinds do
    /// without; no receiver does, and without it half a position would count as one.
    case cutShort
    case wrongChecksum
    /// The checksum is right, but the sentence says nothing that could be.
    case malformed
  }

  /// What comes before the first comma: `GPGGA`.
  var address: ArraySlice<UInt8>
  /// What comes after it.
  var fields: [ArraySlice<UInt8>]

  /// Reads what stands between a `$` or `!` and the end of the line.
  init(_ bytes: ArraySlice<UInt8>) throws(Flaw) {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0 }
    let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? bytes.startIndex
    guard let star = bytes.firstIndex(of: UInt8(ascii: "*")), end - star >= 3
    else { throw .cutShort }
    guard end - star == 3, let high = hexDigit(bytes[star + 1]), let low = hexDigit(bytes[star + 2])
    else { throw .wrongChecksum }
    let content = bytes[..<star]
    guard content.reduce(0, ^) == high << 4 | low else { throw .wrongChecksum }
    let parts = content.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard let address = parts.first, !address.isEmpty else { throw .malformed }
    self.address = address
    fields = Array(parts.dropFirst())
  }

  /// The three letters of the address that follow the talker's two, `GGA`; nil in a sentence of a
  /// manufacturer's own.
  var kind: String? {
    guard address.count == 5, address.first != UInt8(ascii: "P") else { return nil }
    return String(decoding: address.suffix(3), as: UTF8.self)
  }
}

private func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  default: nil
  }
}
