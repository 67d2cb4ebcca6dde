import TestSupport

/// Changes to bytes that a drive, a crash, an editor or an attacker could make.
struct Mutator {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// Parts of files, to insert.
  private static let parts: [[UInt8]] =
    [
      "\n", "\r\n", "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "-", "0", "9",
      "1e999",
      "99999999999999999999", "-9223372036854775808", "9223372036854775807", "\u{0}", "\u{FEFF}",
      "\"format\":", "\"record\":\"event\",", "\"number\":0,", "\"number\":1,", "\"sources\":[{}],",
      "{\"format\":\"lifecycle-recording\",\"version\":2}\n", "{}\n", "\\u0000", "\\ud800", "é",
      String(repeating: "[", count: 600), String(repeating: "{\"a\":", count: 600),
      "\"version\":2,",
    ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xFE, 0xFF], [0xF4]]

  /// Returns the bytes with one to four changes.
  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<11, using: &random) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes.remove(at: place)
    case 3: bytes.insert(contentsOf: Self.parts.randomElement(using: &random)!, at: place)
    case 4: bytes.removeSubrange(place...)
    case 5: bytes.removeSubrange(range(from: place, in: bytes))
    case 6: bytes.insert(contentsOf: bytes[range(from: place, in: bytes)], at: place)
    case 7: bytes.replaceSubrange(range(from: place, in: bytes), with: repeatElement(0, count: 64))
    case 8: replaceNumber(near: place, &bytes)
    case 9: swapLines(&bytes)
    default:
      let source = bytes[range(from: Int.random(in: 0..<bytes.count, using: &random), in: bytes)]
      bytes.replaceSubrange(range(from: place, in: bytes), with: Array(source))
    }
  }

  private mutating func range(from place: Int, in bytes: [UInt8]) -> Range<Int> {
    let length = 1 << Int.random(in: 0...10, using: &random)
    return place..<min(place + length, bytes.count)
  }

  private mutating func replaceNumber(near place: Int, _ bytes: inout [UInt8]) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
    let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.endIndex
    let numbers = [
      "0", "1", "-1", "9007199254740992", "9223372036854775808", "1.5", "1e5", "01", "",
    ]
    bytes.replaceSubrange(start..<end, with: Array(numbers.randomElement(using: &random)!.utf8))
  }

  private mutating func swapLines(_ bytes: inout [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let (first, second) = (
      lines.indices.randomElement(using: &random)!, lines.indices.randomElement(using: &random)!
    )
    lines.swapAt(first, second)
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }
}
