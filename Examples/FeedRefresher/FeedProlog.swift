/// The part of a document before its outermost element: the XML declaration, comments, processing
/// instructions, and the document type.
struct FeedProlog {
  private let text: [UInt8]
  private var index = 0

  /// - Parameter text: A document in UTF-8, without a byte order mark.
  init(_ text: [UInt8]) {
    self.text = text
  }

  /// Finds the beginning of the outermost element.
  ///
  /// - Returns: The index of its `<`, which is followed by the beginning of a name.
  /// - Throws: `FeedProblem` if there is none, or if the document type declares anything.
  /// - Complexity: O(*n*) in the length of the prolog.
  mutating func findRoot() throws(FeedProblem) -> Int {
    while true {
      let start = index
      skip { " \t\r\n".utf8.contains($0) }
      if take("<!--") {
        try skip(past: "-->")
      } else if take("<?") {
        try skipInstruction(isFirst: start == 0 && index == 2)
      } else if take("<!DOCTYPE") {
        try skipDocumentType()
      } else if startsElement {
        return index
      } else {
        throw malformed("no root element")
      }
    }
  }

  private var startsElement: Bool {
    guard index + 1 < text.count, text[index] == UInt8(ascii: "<") else { return false }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let next = text[index + 1]
    return letters.contains(next | 0x20) || "_:".utf8.contains(next) || next >= 0x80
  }

  private mutating func skipInstruction(isFirst: Bool) throws(FeedProblem) {
    let start = index
    skip { !" \t\r\n?".utf8.contains($0) }
    let target = String(decoding: text[start..<index], as: UTF8.self)
    if target.lowercased() == "xml", !isFirst {
      throw malformed("content before the XML declaration")
    }
    try skip(past: "?>")
  }

  /// Skips the document type, and throws if it has a subset between brackets, where a document
  /// declares entities that can expand a few bytes enormously. No feed needs one.
  private mutating func skipDocumentType() throws(FeedProblem) {
    while index < text.count {
      let byte = text[index]
      index += 1
      switch byte {
      case UInt8(ascii: ">"): return
      case UInt8(ascii: "["): throw .hasDeclarations
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        skip { $0 != byte }
        index = min(index + 1, text.count)
      default: break
      }
    }
    throw unfinished
  }

  private mutating func skip(while isSkipped: (UInt8) -> Bool) {
    index = text[index...].firstIndex { !isSkipped($0) } ?? text.count
  }

  private mutating func skip(past end: String) throws(FeedProblem) {
    let end = Array(end.utf8)
    guard let range = text[index...].firstRange(of: end) else {
      index = text.count
      throw unfinished
    }
    index = range.upperBound
  }

  private mutating func take(_ mark: String) -> Bool {
    guard text[index...].starts(with: mark.utf8) else { return false }
    index += mark.utf8.count
    return true
  }

  private var unfinished: FeedProblem { malformed("the document does not end properly") }

  private func malformed(_ what: String) -> FeedProblem {
    .malformed(line: FeedDocument.line(at: index, in: text), what)
  }
}
