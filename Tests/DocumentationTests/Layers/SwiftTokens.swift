/// A word or a sign of Swift code, without comments and the text of strings.
struct SwiftToken: Equatable {
  let text: String
  let line: Int

  var isWord: Bool { text.utf8.first.map(SwiftTokens.isWordByte) ?? false }
}

/// Splits Swift code into words and single signs. Code in the interpolations of strings counts.
struct SwiftTokens {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var tokens: [SwiftToken] = []

  static func tokens(of source: String) -> [SwiftToken] {
    var scanner = SwiftTokens(bytes: Array(source.utf8))
    scanner.scanCode(untilClosingParenthesis: false)
    return scanner.tokens
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      position + text.count <= bytes.count
        && bytes[position..<position + text.count].elementsEqual(text)
    }
  }

  private mutating func skip(_ count: Int = 1) {
    for _ in 0..<count where position < bytes.count {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  private mutating func scanCode(untilClosingParenthesis: Bool) {
    var depth = 0
    while let byte = peek() {
      if starts(with: "//") {
        while let byte = peek(), byte != UInt8(ascii: "\n") { skip() }
      } else if starts(with: "/*") {
        skipBlockComment()
      } else if let signs = numberSignsBeforeQuote() {
        scanString(numberSigns: signs)
      } else if Self.isWordByte(byte) {
        let start = position
        while let byte = peek(), Self.isWordByte(byte) { skip() }
        append(start..<position)
      } else {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") {
          if untilClosingParenthesis, depth == 0 { return skip() }
          depth -= 1
        }
        if byte > UInt8(ascii: " "), byte != UInt8(ascii: "`") {
          append(position..<position + 1)
        }
        skip()
      }
    }
  }

  private mutating func append(_ range: Range<Int>) {
    tokens.append(SwiftToken(text: String(decoding: bytes[range], as: UTF8.self), line: line))
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        skip(2)
      } else if starts(with: "*/") {
        depth -= 1
        skip(2)
      } else {
        skip()
      }
    } while depth > 0 && position < bytes.count
  }

  private func numberSignsBeforeQuote() -> Int? {
    var count = 0
    while peek(count) == UInt8(ascii: "#") { count += 1 }
    return peek(count) == UInt8(ascii: "\"") ? count : nil
  }

  private mutating func scanString(numberSigns: Int) {
    skip(numberSigns)
    let quotes = starts(with: "\"\"\"") ? 3 : 1
    skip(quotes)
    while let byte = peek() {
      if byte == UInt8(ascii: "\n"), quotes == 1 { return }
      if isRun(of: "\"", quotes, then: numberSigns) { return skip(quotes + numberSigns) }
      if byte == UInt8(ascii: "\\"), isRun(of: "\\", 1, then: numberSigns) {
        skip(1 + numberSigns)
        let isInterpolation = peek() == UInt8(ascii: "(")
        skip()
        if isInterpolation { scanCode(untilClosingParenthesis: true) }
      } else {
        skip()
      }
    }
  }

  /// Whether these signs are here, with as many number signs behind them.
  private func isRun(of sign: Unicode.Scalar, _ count: Int, then numberSigns: Int) -> Bool {
    (0..<count).allSatisfy { peek($0) == UInt8(ascii: sign) }
      && (count..<count + numberSigns).allSatisfy { peek($0) == UInt8(ascii: "#") }
  }
}
