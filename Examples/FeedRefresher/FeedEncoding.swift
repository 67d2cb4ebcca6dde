import Foundation

/// The text encodings of feeds.
enum FeedEncoding {
  /// Returns the text of a document in UTF-8, without a byte order mark.
  ///
  /// - Throws: `FeedProblem.malformed` if the text is not in its encoding, or the encoding is
  ///   unknown.
  static func utf8(_ data: Data) throws(FeedProblem) -> [UInt8] {
    let bytes = Array(data)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return try checked(Array(bytes.dropFirst(3))) }
    if let encoding = utf16(bytes) { return try decoded(data, encoding) }
    guard let name = declaredName(bytes)?.lowercased(), name != "utf-8", name != "utf8" else {
      return try checked(bytes)
    }
    guard let encoding = encodings[name] else { throw unknown }
    return try decoded(data, encoding)
  }

  private static let unknown = FeedProblem.malformed(line: 1, "unknown or incorrect encoding")

  private static func utf16(_ bytes: [UInt8]) -> String.Encoding? {
    switch Array(bytes.prefix(2)) {
    case [0xFE, 0xFF], [0xFF, 0xFE]: .utf16
    case [0, UInt8(ascii: "<")]: .utf16BigEndian
    case [UInt8(ascii: "<"), 0]: .utf16LittleEndian
    default: nil
    }
  }

  private static func decoded(
    _ data: Data,
    _ encoding: String.Encoding
  ) throws(FeedProblem) -> [UInt8] {
    guard let text = String(data: data, encoding: encoding) else { throw unknown }
    return Array((text.first == "\u{FEFF}" ? text.dropFirst() : text[...]).utf8)
  }

  private static func checked(_ bytes: [UInt8]) throws(FeedProblem) -> [UInt8] {
    if String(bytes: bytes, encoding: .utf8) != nil { return bytes }
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    var line = 1
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      if scalar == "\n" { line += 1 }
    }
    throw .malformed(line: line, "invalid UTF-8")
  }

  /// Returns the encoding that the XML declaration names, if there is one.
  private static func declaredName(_ bytes: [UInt8]) -> Substring? {
    guard bytes.starts(with: "<?xml".utf8),
      let end = bytes.prefix(1000).firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    let declaration = String(decoding: bytes[..<end], as: UTF8.self)
    return declaration.firstMatch(of: /\sencoding\s*=\s*["']([A-Za-z0-9._:-]*)["']/)?.output.1
  }

  private static let encodings: [String: String.Encoding] = [
    "us-ascii": .ascii, "ascii": .ascii, "iso-8859-1": .isoLatin1, "latin1": .isoLatin1,
    "iso-8859-2": .isoLatin2, "iso-8859-5": other(0x205), "iso-8859-7": other(0x207),
    "iso-8859-9": other(0x209), "iso-8859-15": other(0x20F), "windows-1250": .windowsCP1250,
    "windows-1251": .windowsCP1251, "windows-1252": .windowsCP1252,
    "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254, "koi8-r": other(0xA02),
    "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC, "iso-2022-jp": .iso2022JP,
    "gb2312": other(0x632), "gbk": other(0x632), "gb18030": other(0x632), "big5": other(0xA03),
    "euc-kr": other(0x940),
  ]

  /// Returns the encoding with a number of Core Foundation.
  private static func other(_ number: UInt) -> String.Encoding {
    String.Encoding(rawValue: 0x8000_0000 | number)
  }
}
