import CustomDump
import Foundation
import LifecycleCore
import LifecycleFlightRecording
import TestSupport
import Testing

@testable import LifecycleTimelines

@Suite("A timeline as a page")
struct PageTests {
  /// What the page's script reads.
  private struct Content: Decodable {
    struct Lane: Decodable {
      var name: String
      var spans: [Int]
      var marks: [Int]
    }

    var unit: Int
    var wall: [[Int?]]
    var texts: [String]
    var t: [Int]
    var k: [Int]
    var l: [Int]
    var s: [Int]
    var q: [Int?]
    var others: [[Int]]
    var lanes: [Lane]

    init(_ page: String) throws {
      let document = try Markup(page)
      let text = try #require(document.texts.first { $0.hasPrefix("{\"unit\"") })
      self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }
  }

  @Test("A page is well-formed and has every record, whatever the recording", arguments: seeds(25))
  func complete(_ seed: UInt64) throws {
    let recordings = RandomRecording.runs(seed: seed)
    let timeline = LifecycleTimeline(recordings)
    let content = try Content(timeline.html)
    let records = recordings.flatMap(\.records)
    expectNoDifference(content.t.count, records.count)
    #expect(content.k.count == records.count && content.q.count == records.count)
    for (record, text) in zip(records, content.k.map { content.texts[$0] }) {
      switch record.content {
      case .note(let note): expectNoDifference(text, "note: \(SafeText.visible(note))")
      case .event(let event): #expect(text.hasPrefix(SafeText.visible(event.kind.rawValue)))
      case .input(let input):
        #expect(text.hasPrefix("input \(SafeText.visible(input.kind.rawValue))"))
      default: #expect(!text.isEmpty)
      }
    }
    let numbers = content.q.reduce(into: [0]) { $0.append($0[$0.endIndex - 1] + ($1 ?? 0)) }
    for (index, record) in records.enumerated() {
      if case .event(let event) = record.content {
        #expect(content.q[index] != nil && numbers[index + 1] == event.sequenceNumber)
      } else {
        expectNoDifference(content.q[index], nil)
      }
    }
    // Each mark of each lane is there, by the number of its record.
    let marks = content.lanes.flatMap { lane in
      lane.marks.reduce(into: [Int]()) { $0.append(($0.last ?? 0) + $1) }
    }
    expectNoDifference(marks.count, timeline.lanes.reduce(0) { $0 + $1.marks.count })
    #expect(marks.allSatisfy { (0..<records.count + content.others.count).contains($0) })
    expectNoDifference(Set(marks).count, marks.count)
  }

  @Test("The wall clock of a page is exact to the microsecond")
  func wallClock() throws {
    let recording = Story(wall: .seconds(1_768_469_218)).recording
    let content = try Content(LifecycleTimeline([recording]).html)
    expectNoDifference(content.wall, [[0, 1_768_469_218_000_000]])
  }

  @Test("Texts of a recording become neither markup nor scripts")
  func hostile() throws {
    let page = LifecycleTimeline([Story.hostile.recording]).html
    let document = try Markup(page)
    #expect(document.count(of: "script") == 2 && document.count(of: "img") == 0)
    #expect(document.attributes.allSatisfy { !$0.keys.contains { $0.hasPrefix("on") } })
    #expect(!page.contains("<script>throw") && !page.contains("<script>alert"))
    #expect(!page.contains("\u{1B}") && !page.contains("\u{0}") && !page.contains("\u{202E}"))
    expectNoDifference(page.ranges(of: "</script>").count, 2)
  }

  @Test("A page forbids the network and every script but its own, by an unpredictable number")
  func policy() throws {
    let timeline = LifecycleTimeline([Story.short.recording])
    let pages = [timeline.html, timeline.html]
    let nonces = try pages.map { page in
      let attributes = try Markup(page).attributes
      let nonce = try #require(attributes.compactMap { $0["nonce"] }.first)
      // The script has it, not the data beside it, which has a type.
      expectNoDifference(
        attributes.filter { $0["nonce"] != nil }.map { $0.keys.sorted() },
        [["nonce"]]
      )
      let policy = attributes.first { $0["http-equiv"] == "Content-Security-Policy" }
      expectNoDifference(
        policy?["content"],
        """
        default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-\(nonce)'; \
        base-uri 'none'; form-action 'none'
        """
      )
      return nonce
    }
    #expect(nonces[0] != nonces[1] && nonces.allSatisfy { $0.count > 16 })
    // The policy and the script have it, and nothing else differs.
    expectNoDifference(pages[0].ranges(of: nonces[0]).count, 2)
    #expect(pages[0].replacing(nonces[0], with: nonces[1]) == pages[1])
    let page = pages[0]
    let links = page.ranges(of: #/(href|src)="([^#"][^"]*)"/#)
    #expect(links.isEmpty)
  }

  @Test("A page without scripts has the picture in its proportions, and no empty table")
  func withoutScripts() throws {
    let timeline = LifecycleTimeline([Story.short.recording])
    #expect(timeline.html.contains("<noscript>\(timeline.svg)</noscript>"))
    #expect(timeline.html.contains("noscript svg{height:auto}"))
    #expect(timeline.html.contains("<details id=\"records\" hidden=\"hidden\">"))
  }

  @Test("100,000 records of a week are drawn within bounds of size")
  func week() {
    let recording = Story.week(records: 100_000).recording
    let timeline = LifecycleTimeline([recording])
    let page = timeline.html
    let picture = timeline.svg
    #expect((3_500_000...4_500_000).contains(page.utf8.count))
    #expect(picture.utf8.count < 200_000)
    let tenth = LifecycleTimeline([Story.week(records: 10_000).recording]).html
    #expect(page.utf8.count < 10 * tenth.utf8.count)
  }
}
