import Foundation

/// Documents for tests.
enum Feeds {
  static func rss(_ ids: String...) -> Data {
    let items = ids.map { "<item><guid>\($0)</guid><title>Title of \($0)</title></item>" }
    return Data(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0"><channel><title>A feed</title>
      \(items.joined(separator: "\n"))
      </channel></rss>
      """.utf8
    )
  }

  /// Ten levels of twenty: 20¹⁰ letters.
  static func bomb(in body: String) -> Data {
    let letters = Array("abcdefghijk")
    var entities = "<!ENTITY a \"aaaaaaaaaaaaaaaaaaaa\">"
    for (inner, outer) in zip(letters, letters.dropFirst()) {
      entities += "<!ENTITY \(outer) \"\(String(repeating: "&\(inner);", count: 20))\">"
    }
    return Data("<!DOCTYPE rss [\(entities)]><rss><channel>\(body)</channel></rss>".utf8)
  }
}
