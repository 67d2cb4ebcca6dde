import Foundation

@testable import FeedRefresher

extension FuzzTarget {
  /// A document in RSS or Atom, and one that is made of the same bytes.
  static let feed = FuzzTarget("feed") { bytes in
    do throws(FeedProblem) {
      let feed = try Feed(Data(bytes))
      guard !feed.entries.contains(where: \.id.isEmpty) else {
        return "an entry without an identifier"
      }
    } catch {
      let isLine = !error.description.contains { $0.isNewline }
      guard isLine else { return "a message of several lines: \(error)" }
    }
    return modelFault(FuzzChoices(bytes))
  }

  private static func modelFault(_ choices: FuzzChoices) -> String? {
    var choices = choices
    let format = choices.number(below: 3)
    let encoding = choices.number(below: 3)
    var items = ""
    var expected: [Feed.Entry] = []
    while !choices.isEmpty, expected.count < 16 {
      let (id, title) = (choices.text(), choices.text())
      let (idLine, titleLine) = (line(id), line(title))
      let names = format == 2 ? ("entry", "id") : ("item", "guid")
      items += """
        <\(names.0)><\(names.1)>\(escaped(id))</\(names.1)>
        <title>\(escaped(title))</title></\(names.0)>
        """
      let entryID = idLine.isEmpty ? titleLine : idLine
      if !entryID.isEmpty {
        expected.append(.init(id: entryID, title: titleLine.isEmpty ? entryID : titleLine))
      }
    }
    let document = document(format, items)
    let data =
      switch encoding {
      case 0: Data(document.utf8)
      case 1: Data("\u{FEFF}\(document)".utf8)
      default: document.data(using: .utf16) ?? Data()
      }
    do throws(FeedProblem) {
      let feed = try Feed(data)
      return feed.entries == expected ? nil : "\(feed.entries) instead of \(expected)"
    } catch {
      return "\(error) in \(document)"
    }
  }

  private static func document(_ format: Int, _ items: String) -> String {
    switch format {
    case 0: "<rss version=\"2.0\"><channel>\(items)</channel></rss>"
    case 1:
      """
      <?xml version="1.0"?>
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns="http://purl.org/rss/1.0/">\(items)</rdf:RDF>
      """
    default: "<feed xmlns=\"http://www.w3.org/2005/Atom\">\(items)</feed>"
    }
  }

  /// The text on one line, without what XML does not allow.
  private static func line(_ text: String) -> String {
    text.unicodeScalars.filter(isAllowed).split { $0.properties.isWhitespace }
      .map { String($0) }.joined(separator: " ")
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.filter(isAllowed).reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// https://www.w3.org/TR/xml/#charsets
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...: true
    default: false
    }
  }
}
