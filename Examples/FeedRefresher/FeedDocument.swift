import Foundation

/// The text of a feed, in the form that the parser receives: UTF-8, from the outermost element.
///
/// On Linux, Foundation's parser (Swift 6.3) crashes on a name that is not UTF-8, on a processing
/// instruction without data, and on some declarations in a document type, because it uses the
/// strings of libxml2 unchecked. None of these reaches the parser: the text is decoded first, the
/// part before the outermost element is left out, and `<?a?>` becomes `<?a ?>`.
struct FeedDocument {
  /// As many line feeds as precede the outermost element, followed by the rest of the document.
  private(set) var utf8: [UInt8]

  /// - Throws: `FeedProblem`.
  init(_ data: Data) throws(FeedProblem) {
    guard data.contains(where: { !" \t\r\n".utf8.contains($0) }) else { throw .empty }
    let text = try FeedEncoding.utf8(data)
    if let end = text.firstIndex(of: 0) {
      throw .malformed(line: Self.line(at: end, in: text), "a character that XML does not allow")
    }
    var prolog = FeedProlog(text)
    let root = try prolog.findRoot()
    utf8 = Array(repeating: UInt8(ascii: "\n"), count: Self.line(at: root, in: text) - 1)
    utf8.reserveCapacity(utf8.count + text.count - root)
    appendFillingInstructions(text[root...])
    guard utf8.count <= Feed.sizeLimit else { throw .tooLarge }
  }

  static func line(at index: Int, in text: [UInt8]) -> Int {
    1 + text[..<index].count { $0 == UInt8(ascii: "\n") }
  }

  /// Appends a text, with a space in each processing instruction that has only a name. The same
  /// characters in a CDATA section get the space, too: only a parser could tell them apart.
  private mutating func appendFillingInstructions(_ text: ArraySlice<UInt8>) {
    let mark = Array("<?".utf8)
    var rest = text
    while let start = rest.firstRange(of: mark) {
      let end = rest[start.upperBound...].firstIndex { " \t\r\n<>?".utf8.contains($0) }
      guard let end else { break }
      utf8 += rest[..<end]
      rest = rest[end...]
      if rest.starts(with: "?>".utf8) { utf8.append(UInt8(ascii: " ")) }
    }
    utf8 += rest
  }
}
