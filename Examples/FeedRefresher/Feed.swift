import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The content of a feed.
struct Feed: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    /// An identifier that stays the same for the same entry.
    var id: String
    /// The title, on one line.
    var title: String

    init(id: String, title: String) {
      self.id = id
      self.title = title
    }
  }

  var entries: [Entry]

  init(entries: [Entry] = []) {
    self.entries = entries
  }
}

extension Feed {
  /// The number of bytes that a document may have, both as sent and in UTF-8: the limit of libxml2.
  static let sizeLimit = 10_000_000
  /// The number of elements that may be nested inside each other.
  static let depthLimit = 256

  /// Reads RSS 2.0 and its predecessors, RSS 1.0 (RDF), or Atom.
  ///
  /// A document with its own declarations is refused: a few bytes could become enormous. Nothing
  /// outside the document is loaded. If the task is cancelled, reading ends early.
  ///
  /// - Throws: `FeedProblem`.
  init(_ data: Data) throws(FeedProblem) {
    let document = try FeedDocument(data)
    let reader = FeedReader()
    // From a stream, the parser stops after the piece with the first mistake; from data, it does
    // not.
    let parser = XMLParser(stream: InputStream(data: Data(document.utf8)))
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

/// Collects the entries while the parser goes through the document.
private final class FeedReader: NSObject, XMLParserDelegate {
  private struct Draft {
    var about: String?
    /// The texts of the elements that belong to the entry itself, by name.
    var texts: [String: String] = [:]
  }

  private(set) var problem: FeedProblem?
  /// Nil until the document has ended.
  private(set) var finishedEntries: [Feed.Entry]?

  private var entries: [Feed.Entry] = []
  private var namespaces: [String?] = []
  private var names: [String] = []
  private var draft: Draft?
  /// The depth of the entry; below, the depth of its element whose text is collected.
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
    // On Linux, the parser continues for a while after a mistake. Here it can be stopped safely.
    guard problem == nil, !Task.isCancelled else { return parser.abortParsing() }
    guard names.count < Feed.depthLimit else {
      return give(up: .tooDeep(line: max(parser.lineNumber, 1)), parser)
    }
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
    guard problem == nil, !names.isEmpty else { return }
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

  /// Only the first mistake has the right position; on Linux the parser continues and reports
  /// success.
  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    guard problem == nil else { return }
    let what = FeedReader.description(of: error)
    problem = .malformed(line: max(parser.lineNumber, 1), what)
    #if canImport(FoundationXML)
      // Each mistake that is reported costs memory that is never released, and the parser can't be
      // stopped here: libxml2 would then read memory that it has released. A parser that ends
      // switches off the reports on its thread, so this one is run for that purpose.
      _ = XMLParser(data: Data("<end/>".utf8)).parse()
    #endif
  }

  func parserDidEndDocument(_ parser: XMLParser) {
    finishedEntries = entries
  }

  private func give(up problem: FeedProblem, _ parser: XMLParser) {
    guard self.problem == nil else { return }
    self.problem = problem
    parser.abortParsing()
  }

  /// Returns whether an element is an entry: `item` of RSS stands in the channel, or, in RSS 1.0,
  /// beside it; `entry` of Atom stands in the feed.
  private func isEntry(_ name: String) -> Bool {
    switch names[0] {
    case "rss": name == "item" && names.count == 3
    case "RDF": name == "item" && names.count == 2
    default: name == "entry" && names.count == 2
    }
  }

  /// Returns whether the element belongs to the feed's own vocabulary, and not to an additional
  /// one, as the title of a picture does.
  private func isOwn(_ name: String) -> Bool {
    ["id", "guid", "link", "title"].contains(name) && namespaces.last! == namespaces[entryDepth - 1]
  }

  /// Returns the entry with the most trusted of its identifiers; nil for an entry that has none.
  private static func entry(_ draft: Draft) -> Feed.Entry? {
    let texts = draft.texts
    let id = texts["id"] ?? texts["guid"] ?? draft.about ?? texts["link"] ?? texts["title"]
    return id.map { Feed.Entry(id: $0, title: texts["title"] ?? line($0)) }
  }

  /// Returns the text on one line.
  private static func line(_ text: String) -> String {
    text.unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }.joined(
      separator: " "
    )
  }

  /// Returns a description of the error that libxml2 found, for the mistakes that occur in feeds.
  static func description(of error: (any Error)?) -> String {
    guard let error else { return "the document does not end properly" }
    return switch (error as NSError).code {
    case 4: "no root element"
    case 5, 77: "the document does not end properly"
    case 9: "a character that XML does not allow"
    case 23: "unterminated entity name"
    case 26: "undeclared entity"
    case 27, 28, 201: "undeclared prefix or entity"
    case 31, 32, 81: "unknown or incorrect encoding"
    case 38, 39, 40, 41, 42: "invalid attribute"
    case 64: "content before the XML declaration"
    case 68: "invalid name"
    case 73, 76: "mismatched start and end tags"
    case 89: "entities are nested too deeply"
    case let code: "libxml2 error \(code)"
    }
  }
}
