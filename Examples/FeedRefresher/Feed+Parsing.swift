import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

extension Feed {
  /// Reads RSS 2.0 and its forerunners, RSS 1.0 (RDF), or Atom.
  ///
  /// Entities that the document declares itself are refused: they can make a few bytes enormous.
  /// Nothing outside of the document is loaded.
  ///
  /// - Throws: `FeedProblem`.
  package init(_ data: Data) throws(FeedProblem) {
    guard data.contains(where: { !" \t\r\n".utf8.contains($0) }) else { throw .empty }
    guard !Self.declaresEntities(data) else { throw .declaresEntities }
    let reader = FeedReader()
    let parser = XMLParser(data: data)
    parser.shouldProcessNamespaces = true
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    _ = parser.parse()
    if let problem = reader.problem { throw problem }
    guard let entries = reader.finishedEntries, parser.parserError == nil else {
      let what = FeedReader.description(of: parser.parserError)
      throw .malformed(line: max(parser.lineNumber, 1), what)
    }
    self.init(entries: entries)
  }
}

extension Feed {
  /// Whether there is such a declaration before the outermost element. On Linux the parser does not
  /// say so. One that is hidden well, libxml2 keeps small.
  private static func declaresEntities(_ data: Data) -> Bool {
    // In UTF-16 every other byte is zero here.
    let text = data.lazy.filter { $0 != 0 }
    let declaration = Array("<!ENTITY".utf8)
    var matched = 0
    for byte in text {
      if matched == 1, isLetter(byte) { return false }
      matched = byte == declaration[matched] ? matched + 1 : byte == declaration[0] ? 1 : 0
      if matched == declaration.count { return true }
    }
    return false
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}

/// Collects the entries while the parser goes through the document.
private final class FeedReader: NSObject, XMLParserDelegate {
  private struct Draft {
    var about: String?
    /// The texts of the entry's own elements, by their names.
    var texts: [String: String] = [:]
  }

  private(set) var problem: FeedProblem?
  /// Nil until the document has ended.
  private(set) var finishedEntries: [Feed.Entry]?

  private var entries: [Feed.Entry] = []
  private var namespaces: [String?] = []
  private var names: [String] = []
  private var draft: Draft?
  /// How deep the entry is, and how deep its element whose text is collected.
  private var entryDepth = 0
  private var textDepth: Int?
  private var text = ""

  func parser(
    _ parser: XMLParser,
    didStartElement name: String,
    namespaceURI namespace: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    let namespace = namespace.flatMap { $0.isEmpty ? nil : $0 }
    names.append(name)
    namespaces.append(namespace)
    if names.count == 1, !["rss", "RDF", "feed"].contains(name) {
      return give(up: .noFeed(root: name), parser)
    }
    if draft == nil, isEntry(name) {
      draft = Draft(
        about: attributes.first { $0.key == "about" || $0.key.hasSuffix(":about") }?.value
      )
      entryDepth = names.count
    } else if draft != nil, names.count == entryDepth + 1, isOwn(name) {
      textDepth = names.count
      text = ""
      if name == "link", let address = attributes["href"], draft?.texts["link"] == nil {
        draft?.texts["link"] = address
      }
    }
  }

  func parser(
    _ parser: XMLParser,
    didEndElement name: String,
    namespaceURI: String?,
    qualifiedName: String?
  ) {
    if textDepth == names.count {
      textDepth = nil
      let line = FeedReader.line(text)
      if !line.isEmpty, draft?.texts[name] == nil { draft?.texts[name] = line }
    } else if let draft, names.count == entryDepth {
      self.draft = nil
      if let entry = Self.entry(draft) { entries.append(entry) }
    }
    names.removeLast()
    namespaces.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) {
    if textDepth != nil { text += characters }
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    if textDepth != nil { text += String(decoding: block, as: UTF8.self) }
  }

  /// Only the first mistake is where it is; on Linux the parser goes on, and calls it a success.
  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    let what = FeedReader.description(of: error)
    if problem == nil { problem = .malformed(line: max(parser.lineNumber, 1), what) }
  }

  func parser(
    _ parser: XMLParser,
    foundInternalEntityDeclarationWithName name: String,
    value: String?
  ) {
    give(up: .declaresEntities, parser)
  }

  func parser(
    _ parser: XMLParser,
    foundExternalEntityDeclarationWithName name: String,
    publicID: String?,
    systemID: String?
  ) {
    give(up: .declaresEntities, parser)
  }

  func parserDidEndDocument(_ parser: XMLParser) {
    finishedEntries = entries
  }

  private func give(up problem: FeedProblem, _ parser: XMLParser) {
    guard self.problem == nil else { return }
    self.problem = problem
    parser.abortParsing()
  }

  /// `item` of RSS stands in the channel, or, in RSS 1.0, beside it; `entry` of Atom in the feed.
  private func isEntry(_ name: String) -> Bool {
    switch names[0] {
    case "rss": name == "item" && names.count == 3
    case "RDF": name == "item" && names.count == 2
    default: name == "entry" && names.count == 2
    }
  }

  /// Whether the element belongs to the feed's own vocabulary: not to one that comes along, as the
  /// title of a picture does.
  private func isOwn(_ name: String) -> Bool {
    ["id", "guid", "link", "title"].contains(name) && namespaces.last! == namespaces[entryDepth - 1]
  }

  /// What identifies it, in the order of trust: nil for an entry that says nothing.
  private static func entry(_ draft: Draft) -> Feed.Entry? {
    let texts = draft.texts
    let id = texts["id"] ?? texts["guid"] ?? draft.about ?? texts["link"] ?? texts["title"]
    return id.map { Feed.Entry(id: $0, title: texts["title"] ?? $0) }
  }

  /// The text on one line, without what could steer a terminal.
  private static func line(_ text: String) -> String {
    let isOdd = { (scalar: Unicode.Scalar) in
      scalar.properties.isWhitespace
        || [.control, .format].contains(scalar.properties.generalCategory)
    }
    return text.unicodeScalars.split(whereSeparator: isOdd).map { String($0) }.joined(
      separator: " "
    )
  }

  /// What libxml2 has found, for the mistakes that feeds have.
  static func description(of error: (any Error)?) -> String {
    guard let error else { return "the document has no end" }
    return switch (error as NSError).code {
    case 4: "there is no element"
    case 5, 77: "it does not end where it should"
    case 9: "a character that XML does not allow"
    case 23: "the name of an entity does not end"
    case 26: "an entity that is not declared"
    case 27, 28, 201: "a prefix or an entity that is not declared"
    case 31, 32, 81: "an encoding that is not known, or is not what the text is in"
    case 38, 39, 40, 41, 42: "an attribute is wrong"
    case 64: "something stands before the XML declaration"
    case 68: "a name is wrong"
    case 73, 76: "the end of an element does not match its beginning"
    case 89: "entities are nested too deeply"
    case let code: "libxml2 error \(code)"
    }
  }
}
