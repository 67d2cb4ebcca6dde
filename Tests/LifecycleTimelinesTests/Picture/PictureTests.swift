import CustomDump
import Foundation
import LifecycleCore
import LifecycleFlightRecording
import TestSupport
import Testing

@testable import LifecycleTimelines

@Suite("A timeline as a picture")
struct PictureTests {
  @Test("Pictures are well-formed, whatever the recording", arguments: seeds(15))
  func wellFormed(_ seed: UInt64) throws {
    let elements = try Markup(LifecycleTimeline(RandomRecording.runs(seed: seed)).svg)
    expectNoDifference(elements.count(of: "svg"), 1)
    #expect(elements.names.isDisjoint(with: ["script", "image", "a"]))
    // Each mark has a form.
    let forms = Set(elements.attributes.compactMap { $0["id"].map { "#\($0)" } })
    #expect(forms.isSuperset(of: elements.attributes.compactMap { $0["href"] }))
  }

  @Test("A picture has a title and a description, and each mark and span a title")
  func titles() throws {
    let svg = LifecycleTimeline([Story.rental.recording]).svg
    let elements = try Markup(svg)
    #expect(elements.texts.contains("rental"))
    expectNoDifference(elements.texts.contains("+00:00:26.000: away 92 s, asleep 60 s"), false)
    #expect(elements.texts.contains("+26.000 s: away 92 s, asleep 60 s"))
    #expect(
      elements.texts.contains(
        "+17.000 s: input didBecomeActive from signals, suppressed: duplicate"
      )
    )
    #expect(svg.contains("role=\"img\" aria-labelledby=\"title desc\""))
    #expect(svg.contains("@media (prefers-color-scheme: dark)"))
    expectNoDifference(elements.attributes.first?["width"], "960")
  }

  @Test("A suppressed input is a crossed circle with its reason beside it, also on a page")
  func suppressedInput() throws {
    var story = Story()
    story.connect(1, "signals")
    story.wait(.seconds(10))
    story.suppress(.didBecomeActive, from: 1, .duplicate)
    story.wait(.seconds(10))
    story.end(from: 1)
    let timeline = LifecycleTimeline([story.recording])
    #expect(timeline.svg.contains("href=\"#m-suppressed\""))
    #expect(timeline.svg.contains(">duplicate</text>"))
    for document in [timeline.svg, timeline.html] {
      let form = try Markup(document).attributes.first { $0["id"] == "m-suppressed" }?["d"]
      expectNoDifference(form, "M-5 0A5 5 0 1 1 5 0A5 5 0 1 1-5 0ZM-3.5 3.5L3.5-3.5")
    }
  }

  @Test("Spans that are too short to see are one, which shows what part of the time each form had")
  func shortSpans() throws {
    var story = Story()
    story.launch()
    story.wait(.seconds(5_000))
    for _ in 0..<40 {
      story.leave()
      story.wait(.seconds(3))
      story.comeBack()
      story.wait(.seconds(1))
    }
    story.wait(.seconds(5_000))
    story.end()
    let svg = LifecycleTimeline([story.recording]).svg
    let title = try #require(svg.firstRange(of: " spans</title>"))
    let block = svg[title.upperBound...].prefix { $0 != "\n" }
    var heights: [String: Double] = [:]
    var places: Set<Substring> = []
    for match in block.matches(
      of: /<rect class="f-(\w+)" x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="([\d.]+)"/
    ) {
      heights[String(match.1)] = Double(match.4)
      places.insert("\(match.2) \(match.3)")
    }
    expectNoDifference(places.count, 1)
    let (active, background) = try (
      #require(heights["active"]), #require(heights["background"])
    )
    #expect((2.8...3.2).contains(background / active))
    expectNoDifference(block.ranges(of: "<rect class=\"f-").count, heights.count)
  }

  @Test("No text of a picture is longer than a tooltip has room for")
  func longTexts() throws {
    var story = Story()
    let long = String(repeating: "long ", count: 20_000)
    story.connect(1, LifecycleSourceName(rawValue: long))
    story.note(long)
    story.activity(.fetch, 1, long, .began)
    let texts = try Markup(LifecycleTimeline([story.recording], title: long).svg).texts
    #expect(texts.contains { $0.hasSuffix("…") })
    #expect(texts.filter { $0.contains("long long") }.allSatisfy { $0.count < 700 })
  }

  @Test("50,000 spans without an end are drawn as one")
  func overlappingSpans() throws {
    let many = LifecycleTimeline([Story.countdowns(50_000).recording])
    expectNoDifference(many.lanes(.countdowns).first?.spans.count, 50_000)
    let svg = many.svg
    let few = LifecycleTimeline([Story.countdowns(10).recording])
    #expect(svg.utf8.count < few.svg.utf8.count + 1_000)
    let elements = try Markup(svg)
    // The chart, the process, its end, its phase, and the rows.
    expectNoDifference(elements.count(of: "g"), 4 + 4)
    expectNoDifference(
      elements.texts.filter { $0.hasSuffix("spans") },
      ["+3.000 s to +13:53:20.000: 49,997 spans"]
    )
  }

  @Test("A shared row has every span once, and no two blocks overlap in time", arguments: seeds(30))
  func blocks(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let longest = [0.001, 0.02, 0.5].randomElement(using: &random)!
    let spans = (0..<Int.random(in: 0...2_000, using: &random)).map { _ in
      let start = Double.random(in: 0...1, using: &random)
      let end = min(start + Double.random(in: 0...longest, using: &random), 1)
      return LifecycleTimeline.Span(
        start: .seconds(start),
        end: .seconds(end),
        style: .task,
        label: "",
        detail: ""
      )
    }
    let lane = LifecycleTimeline.Lane(subject: .backgroundTasks, name: "", spans: spans).finished()
    for row in 0..<lane.rows {
      let spans = lane.spans.filter { $0.row == row }
      let blocks = SpanBlock.blocks(of: spans) { $0 / .seconds(1) * 400 }
      expectNoDifference(blocks.flatMap { Array($0.spans) }, Array(spans.indices))
      #expect(blocks.count <= 400)
      for (one, next) in zip(blocks, blocks.dropFirst()) {
        #expect(spans[next.spans].allSatisfy { $0.start >= one.latest })
      }
    }
  }

  @Test(
    "Groups do not touch, stay within the width, and have every mark once",
    arguments: seeds(60)
  )
  func groups(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let marks = (0..<Int.random(in: 0...3_000, using: &random))
      .map { _ in Double.random(in: 0...1, using: &random) }.sorted()
      .map {
        LifecycleTimeline.Mark(time: .seconds($0), style: .input, label: "", detail: "", record: 0)
      }
    let groups = MarkGroup.groups(of: marks, x: { 7 + $0 / .seconds(1) * 386 }, limit: 400)
    expectNoDifference(groups.reduce(0) { $0 + $1.count }, marks.count)
    #expect(groups.allSatisfy { $0.left >= -0.001 && $0.right <= 400.001 })
    for (one, next) in zip(groups, groups.dropFirst()) { #expect(next.left >= one.right) }
  }

  /// https://www.w3.org/TR/WCAG22/#contrast-minimum
  @Test("Text has a contrast of 4.5, and marks of 3, in both schemes")
  func contrast() {
    for palette in [Palette.light, .dark] {
      for background in [palette.background, palette.band] {
        #expect(contrast(palette.text, background) >= 4.5)
        #expect(contrast(palette.note, background) >= 4.5)
        #expect(contrast(palette.focus, background) >= 3)
        for (style, color) in palette.marks {
          #expect(contrast(color, background) >= 3, "\(style)")
        }
      }
      for (style, fill) in palette.fills {
        #expect(contrast(fill.ink, fill.fill) >= 4.5, "\(style)")
      }
    }
  }

  private func contrast(_ one: String, _ other: String) -> Double {
    let (one, other) = (luminance(one), luminance(other))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  private func luminance(_ color: String) -> Double {
    let value = Int(color.dropFirst(), radix: 16)!
    let parts = [value >> 16, value >> 8 & 255, value & 255].map { part -> Double in
      let share = Double(part) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  @Test("Several inputs that are drawn as one have a dashed border if one is suppressed")
  func suppressedInGroup() {
    for reason in [SuppressedInput.Reason.duplicate, nil] {
      var story = Story()
      story.connect(1, "signals")
      for reason in [nil, reason] {
        story.add(.input(FlightInput(.didBecomeActive, from: 1, suppressed: reason)))
      }
      story.wait(.seconds(9))
      story.note("end")
      let svg = LifecycleTimeline([story.recording]).svg
      expectNoDifference(svg.contains("class=\"pill pill-suppressed\""), reason != nil)
    }
  }
}
