/// A sentence of NMEA 0183: `$`, an address, fields that are separated by commas, and a checksum.
struct NMEASentence {
  /// The reason why a sentence is not accepted.
  enum Flaw: Error {
    /// There is no checksum, because the sentence was cut short. The standard makes it optional for
    /// a few kinds, but no receiver omits it, and without it half a position would count as one.
    case cutShort
    case wrongChecksum
    /// The checksum is right, but the content is impossible.
    case malformed
  }

  /// The part before the first comma: `GPGGA`.
  var address: ArraySlice<UInt8>
  /// The parts after the first comma.
  var fields: [ArraySlice<UInt8>]

  /// Reads the part between a `$` or `!` and the end of the line.
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

  /// The three letters of the address that follow the two of the talker, `GGA`; nil in a sentence
  /// that is specific to a manufacturer.
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
