extension [UInt8] {
  /// Decodes Base64; nil if the text is none.
  init?(base64 text: String) {
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for character in text.utf8 where character != UInt8(ascii: "=") {
      guard let value = Self.base64Value(character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    self = bytes
  }

  private static func base64Value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
