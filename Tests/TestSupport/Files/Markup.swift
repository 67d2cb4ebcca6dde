package import Foundation

#if canImport(FoundationXML)
  package import FoundationXML
#endif

/// A document, read by a real parser of XML.
package final class Markup: NSObject, XMLParserDelegate {
  package struct Malformed: Error {
    package var line: Int
    package var reason: String
  }

  package private(set) var names: Set<String> = []
  private var namesInOrder: [String] = []
  /// The text of each element that has no other elements, or before its first one.
  package private(set) var texts: [String] = []
  package private(set) var attributes: [[String: String]] = []
  private var text = ""

  package init(_ document: String) throws {
    super.init()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = self
    guard parser.parse() else {
      throw Malformed(line: parser.lineNumber, reason: "\(parser.parserError as Any)")
    }
  }

  package func count(of name: String) -> Int { namesInOrder.count { $0 == name } }

  package func parser(
    _ parser: XMLParser,
    didStartElement name: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    names.insert(name)
    namesInOrder.append(name)
    self.attributes.append(attributes)
    finishText()
  }

  package func parser(
    _ parser: XMLParser,
    didEndElement name: String,
    namespaceURI: String?,
    qualifiedName: String?
  ) {
    finishText()
  }

  package func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  package func parser(_ parser: XMLParser, foundCDATA data: Data) {
    text += String(decoding: data, as: UTF8.self)
  }

  private func finishText() {
    if !text.isEmpty { texts.append(text) }
    text = ""
  }
}
