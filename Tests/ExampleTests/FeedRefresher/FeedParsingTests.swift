import CustomDump
import Foundation
import Testing

@testable import FeedRefresher

/// The corpus of `FuzzingTests` has more documents, none of which may end the process.
@Suite("Feeds")
struct FeedParsingTests {
  private func entries(_ text: String) throws -> [Feed.Entry] {
    try Feed(Data(text.utf8)).entries
  }

  private func problem(_ data: Data) -> String? {
    do throws(FeedProblem) {
      _ = try Feed(data)
      return nil
    } catch {
      return error.description
    }
  }

  private func problem(_ text: String) -> String? { problem(Data(text.utf8)) }

  private func feed(titled title: String) -> String {
    "<rss><channel><item><title>\(title)</title></item></channel></rss>"
  }

  // MARK: Entries

  @Test("An entry of RSS 2.0 is identified by guid, link, or title, and omitted without them")
  func rss2() throws {
    let found = try entries(
      """
      <?xml version="1.0"?>
      <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
      <title>The feed</title><image><title>No entry</title></image>
      <item><media:title>No</media:title><guid isPermaLink="false"> a </guid><title>One &amp;
        two &#228;</title><link>http://example.org/1</link></item>
      <item><link>http://example.org/2</link><title><![CDATA[<b>Two</b>]]></title></item>
      <item><title>Three</title></item>
      <item><description>Nothing</description></item>
      </channel></rss>
      """
    )
    expectNoDifference(
      found,
      [
        Feed.Entry(id: "a", title: "One & two ä"),
        Feed.Entry(id: "http://example.org/2", title: "<b>Two</b>"),
        Feed.Entry(id: "Three", title: "Three"),
      ]
    )
    expectNoDifference(try entries("<rss><channel/></rss>"), [])
  }

  @Test("An item of RSS 1.0 is identified by rdf:about")
  func rss1() throws {
    let found = try entries(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \
      xmlns="http://purl.org/rss/1.0/">
      <channel rdf:about="http://example.org/"><title>The feed</title></channel>
      <item rdf:about="http://example.org/1"><title>a&#13;b&#x85;c\u{2028}d</title></item>
      </rdf:RDF>
      """
    )
    // A title is on one line.
    expectNoDifference(found, [Feed.Entry(id: "http://example.org/1", title: "a b c d")])
  }

  @Test("An entry of Atom is read with a prefix, with an xhtml title, and without a title")
  func atomIdXhtmlTitlePrefixAndMissingTitle() throws {
    let found = try entries(
      """
      <a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>The feed</a:title><a:id>feed</a:id>
      <a:entry><a:id>urn:1</a:id><a:title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">One \
      <b>bold</b></div></a:title><a:source><a:id>No</a:id><a:title>No</a:title></a:source></a:entry>
      <a:entry><a:id>urn:2</a:id></a:entry>
      <a:entry><a:link href="http://example.org/3"/></a:entry>
      </a:feed>
      """
    )
    expectNoDifference(
      found,
      [
        Feed.Entry(id: "urn:1", title: "One bold"),
        Feed.Entry(id: "urn:2", title: "urn:2"),
        Feed.Entry(id: "http://example.org/3", title: "http://example.org/3"),
      ]
    )
  }

  @Test("A feed is read in its declared encoding, or that of its byte order mark")
  func encodings() throws {
    let samples: [(String, String, String.Encoding)] = [
      ("iso-8859-2", "Łódź", .isoLatin2), ("WINDOWS-1252", "“Grüße”", .windowsCP1252),
      ("Shift_JIS", "日本", .shiftJIS), ("koi8-r", "Мир", .init(rawValue: 0x8000_0A02)),
      ("UTF-16", "日本", .utf16), ("UTF-16", "日本", .utf16LittleEndian),
      ("UTF-16", "日本", .utf16BigEndian),
    ]
    for (name, title, encoding) in samples {
      let text = "<?xml version='1.0' encoding='\(name)'?>" + feed(titled: title)
      let data = try #require(text.data(using: encoding))
      expectNoDifference(try Feed(data).entries.map(\.title), [title])
    }
    let text = "<?xml version='1.0' encoding='iso-8859-1'?>" + feed(titled: "é")
    let marked = Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8)
    expectNoDifference(try Feed(marked).entries.map(\.title), ["é"])
  }

  // MARK: Problems

  private static let problems: [(text: String, problem: String?)] = [
    ("", "empty response"),
    ("\r\n\r\n", "empty response"),
    ("<!DOCTYPE html><html><body><br></body></html>", "not a feed: its root element is html"),
    ("<opml/>", "not a feed: its root element is opml"),
    ("<rss>\n<channel>\n<item></channel></rss>", "line 3: mismatched start and end tags"),
    ("\n<?xml version='1.0'?><rss/>", "line 2: content before the XML declaration"),
    ("<rss></rss>\nmore", "line 2: "),
    ("<?c", "line 1: the document does not end properly"),
    ("<?xml version='1.0' encoding='UCS-4'?><rss/>", "line 1: unknown or incorrect encoding"),
    // A processing instruction without data, which Foundation's parser does not survive.
    ("<?a?><rss><?c?><channel/></rss><?h?>", nil),
    // Document types: without declarations they are not loaded.
    ("<!DOCTYPE rss SYSTEM 'http://127.0.0.1:1/[>'><rss/>", nil),
    ("<!-- <!DOCTYPE rss [ --><rss/>", nil),
    ("<!DOCTYPE rss [<!ELEMENT rss ANY>]><rss/>", "its document type contains declarations"),
    ("<!DOCTYPE rss SYSTEM 'x>[' []><rss/>", "its document type contains declarations"),
    ("<!DOCTYPE rss [<!ENTITY % p 'q'>%p;]><rss/>", "its document type contains declarations"),
    (
      #"<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]><rss>&a;</rss>"#,
      "its document type contains declarations"
    ),
  ]

  @Test("A document that is no feed is refused with a reason", arguments: problems)
  func refused(text: String, expected: String?) {
    let found = problem(text)
    if let expected {
      #expect(found?.contains(expected) == true, "\(found ?? "none")")
    } else {
      expectNoDifference(found, nil)
    }
  }

  @Test("A feed that is cut anywhere is refused")
  func cut() {
    for length in 0..<Feeds.rss("a").count {
      #expect(problem(Feeds.rss("a").prefix(length)) != nil, "cut after \(length)")
    }
  }

  @Test(
    "Bytes that are no UTF-8 are refused, wherever they stand",
    arguments: [
      "<!--*--><rss/>", "<rss a*='b'/>", "<rss>*</rss>", "<rss>&*;</rss>", "<rss></rss*>",
    ]
  )
  func notUTF8(text: String) {
    let parts = text.split(separator: "*").map { Data($0.utf8) }
    for bad in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xC3]] {
      let data = Data("\n\n".utf8) + parts[0] + Data(bad.map { UInt8($0) }) + parts[1]
      expectNoDifference(problem(data), "malformed feed: line 3: invalid UTF-8")
    }
  }

  @Test("Documents with entities, deep nesting, or more than 10 MB are refused")
  func limits() throws {
    let declarations = "malformed feed: its document type contains declarations"
    expectNoDifference(problem(Feeds.bomb(in: "<item><title>&k;</title></item>")), declarations)
    func nested(_ depth: Int) -> String {
      "<rss>\n" + String(repeating: "<a>", count: depth - 1)
        + String(repeating: "</a>", count: depth - 1) + "</rss>"
    }
    expectNoDifference(problem(nested(256)), nil)
    let reason = "malformed feed: line 2: elements are nested more than 256 levels deep"
    expectNoDifference(problem(nested(257)), reason)
    expectNoDifference(problem("<rss>\n" + String(repeating: "<a>", count: 100_000)), reason)
    let large = feed(titled: String(repeating: "日", count: 4_000_000)).data(using: .utf16)!
    #expect(large.count < 10_000_000)
    expectNoDifference(problem(large), "larger than 10 MB")
  }

  @Test("Reading ends early when the task is cancelled")
  func cancelledReadingEndsEarly() async {
    let text = feed(titled: "One")
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return problem(text)
    }
    task.cancel()
    #expect(await task.value == "malformed feed: line 1: libxml2 error 111")
  }
}
