import CustomDump
import Foundation
import Testing

@testable import FeedRefresher

@Suite("Feeds")
struct FeedParsingTests {
  private func entries(_ text: String) throws -> [Feed.Entry] {
    try Feed(Data(text.utf8)).entries
  }

  private func problem(_ data: Data) -> FeedProblem? {
    do throws(FeedProblem) {
      _ = try Feed(data)
      return nil
    } catch {
      return error
    }
  }

  @Test("RSS 2.0: guid, else link, else title; an entry without any is none")
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
  }

  @Test("RSS 1.0: items beside the channel, known by rdf:about")
  func rss1() throws {
    let found = try entries(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \
      xmlns="http://purl.org/rss/1.0/">
      <channel rdf:about="http://example.org/"><title>The feed</title></channel>
      <item rdf:about="http://example.org/1"><title>One</title></item>
      </rdf:RDF>
      """
    )
    expectNoDifference(found, [Feed.Entry(id: "http://example.org/1", title: "One")])
  }

  @Test("Atom: id; a title of type xhtml; a prefix; an entry without a title")
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

  @Test("A feed without entries is a feed")
  func noEntries() throws {
    expectNoDifference(try entries("<rss><channel/></rss>"), [])
    expectNoDifference(try entries(#"<feed xmlns="http://www.w3.org/2005/Atom"/>"#), [])
  }

  @Test("Encodings")
  func encodingsOfFeeds() throws {
    let text = "<rss><channel><item><title>Grüße</title></item></channel></rss>"
    let declared = #"<?xml version="1.0" encoding="ISO-8859-1"?>"# + text
    for data in [
      Data(text.utf8), declared.data(using: .isoLatin1)!, text.data(using: .utf16)!,
    ] {
      expectNoDifference(try Feed(data).entries, [Feed.Entry(id: "Grüße", title: "Grüße")])
    }
  }

  @Test("A title is on one line, also one that stands for a missing one")
  func oneLine() throws {
    let found = try entries(
      """
      <RDF><item><title>a&#13;b&#x85;c\u{2028}d</title></item><item about="e&#13;&#x85;f"/></RDF>
      """
    )
    expectNoDifference(found.map(\.title), ["a b c d", "e f"])
  }

  @Test("A malformed feed is one, and the line of the first mistake is named")
  func malformedFeedNamesLineOfFirstMistake() {
    let texts = [
      ("<rss>\n<channel>\n<item></channel></rss>", 3), ("<rss><channel>", 1), ("<rss>\n", 1),
      ("<rss></rss>\nmore", 2), ("<rss>\n<item a=b></item></rss>", 2), ("{}", 1), ("hello", 1),
      ("<rss>&nbsp;</rss>", 1), ("<rss>\u{1}</rss>", 1), ("<", 1), ("<rss", 1),
    ]
    for (text, line) in texts {
      guard case .malformed(line, let what) = problem(Data(text.utf8)) else {
        Issue.record("\(text): \(String(describing: problem(Data(text.utf8))))")
        continue
      }
      #expect(!what.isEmpty)
    }
    for length in 1..<Feeds.rss("a").count {
      #expect(problem(Feeds.rss("a").prefix(length)) != nil, "cut after \(length)")
    }
    let lateDeclaration = Data("\n<?xml version='1.0'?><rss/>".utf8)
    expectNoDifference(
      problem(lateDeclaration)?.description,
      "malformed feed: line 2: content before the XML declaration"
    )
    expectNoDifference(
      problem(Data("<rss>\n<channel>\n<item></channel></rss>".utf8))?.description,
      "malformed feed: line 3: mismatched start and end tags"
    )
  }

  @Test("What is no feed is named by its outermost element")
  func noFeed() {
    let page = "<!DOCTYPE html><html><head><meta charset=utf-8></head><body><br></body></html>"
    expectNoDifference(problem(Data(page.utf8)), .noFeed(root: "html"))
    expectNoDifference(problem(Data("<opml/>".utf8)), .noFeed(root: "opml"))
  }

  @Test("An empty answer is one, blank or not")
  func emptyAnswer() {
    for text in ["", " ", "\r\n\r\n"] { expectNoDifference(problem(Data(text.utf8)), .empty) }
  }

  @Test("Entities that grow, or that lead elsewhere, do no harm")
  func entitiesDoNoHarm() {
    let text = "<item><title>&k;</title></item>"
    expectNoDifference(problem(Feeds.bomb(in: text)), .hasDeclarations)
    expectNoDifference(problem(Feeds.bomb(in: text).utf16), .hasDeclarations)
    let file = #"<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]><rss>&a;</rss>"#
    expectNoDifference(problem(Data(file.utf8)), .hasDeclarations)
    let hidden = Data("<!-- <x -->".utf8) + Feeds.bomb(in: #"<item a="&k;"/>"#)
    expectNoDifference(problem(hidden), .hasDeclarations)
  }

  @Test("A document type without entities is fine, and is not loaded")
  func documentType() throws {
    let found = try entries(
      """
      <!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://127.0.0.1:1/rss.dtd">
      <rss version="0.91"><channel><item><title>&lt;!ENTITY&gt;</title></item></channel></rss>
      """
    )
    expectNoDifference(found.map(\.title), ["<!ENTITY>"])
  }
}

extension Data {
  fileprivate var utf16: Data { String(decoding: self, as: UTF8.self).data(using: .utf16)! }
}
