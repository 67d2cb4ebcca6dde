import CustomDump
import Foundation
import LifecycleCore
import LifecycleFlightRecording
import TestSupport
import Testing

@testable import LifecycleTimelines

@Suite("Places on the axis, and dates")
struct TimeTextTests {
  @Test(
    "A time on the axis has milliseconds",
    arguments: [
      (12.345, "+12.345 s"), (90.25, "+00:01:30.250"), (206_785.738, "+2 d 09:26:25.738"),
      (59.999_9, "+00:01:00.000"),
    ]
  )
  func position(_ seconds: Double, _ expected: String) {
    expectNoDifference(TimeText.position(.seconds(seconds)), expected)
  }

  @Test(
    "The text of a tick has its units down to the last that is not zero",
    arguments: [
      (0, "0"), (0.000_5, "500 µs"), (0.002_5, "2.5 ms"), (1.5, "1.5 s"), (90, "1 min 30 s"),
      (98.497, "1 min 38.497 s"), (176_400, "2 d 1 h"),
      (21_600_000_000, "250000 d"),
    ]
  )
  func ticks(_ seconds: Double, _ expected: String) {
    expectNoDifference(TimeAxis.text(of: seconds), expected)
  }

  @Test("A date is in UTC; a clock that was never set has none")
  func dates() {
    expectNoDifference(TimeText.wall(.seconds(1_768_469_200.9)), "2026-01-15 09:26:40")
    // As a quotient of durations, this is less than a whole number.
    expectNoDifference(TimeText.wall(.seconds(1_768_469_218)), "2026-01-15 09:26:58")
    for (wall, isDate): (Duration, Bool) in [
      (.seconds(1_000), false), (.seconds(Int64.max), false), (.seconds(1_768_469_200), true),
    ] {
      var clock = WallClock()
      clock.append(Story(wall: wall).now, at: .zero)
      expectNoDifference(clock.reading(at: .seconds(1)), isDate ? wall + .seconds(1) : nil)
    }
  }

  @Test("Ticks have readable distances, and no more than there is room for")
  func ticks() {
    let readable: Set<Double> = [
      1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200,
      86_400,
    ]
    var length = 1e-6
    while length < TimeAxis.longest / .seconds(1) {
      for count in [1, 3, 7, 20] {
        let axis = TimeAxis(to: .seconds(length), count: count)
        #expect(axis.ticks.count <= count + 1)
        expectNoDifference(axis.ticks.first, .zero)
        if axis.step >= 1, axis.step < 86_400 { #expect(readable.contains(axis.step)) }
        if axis.step > 86_400 {
          let digits = String(Int((axis.step / 86_400).rounded()))
          #expect(["1", "2", "5"].contains(digits.prefix(1)))
          #expect(digits.dropFirst().allSatisfy { $0 == "0" })
        }
      }
      length *= 1.7
    }
    expectNoDifference(
      TimeAxis(to: .seconds(100), count: 4).ticks,
      [0, 30, 60, 90].map { .seconds($0) }
    )
  }
}

@Suite("Names and descriptions in timelines")
struct RecordTextTests {
  @Test("The label of a notice has a few words")
  func notices() {
    var story = Story()
    for kind: LifecycleEvent.Kind in [.didReceiveMemoryWarning, .processWasPaused, "ownNotice"] {
      story.input(kind)
    }
    let marks = LifecycleTimeline([story.recording]).lanes(.notices).flatMap(\.marks)
    expectNoDifference(marks.map(\.label), ["memory warning", "paused", "ownNotice"])
  }

  @Test(
    "An event is described with its origin and its metadata, by their keys",
    arguments: [
      (LifecycleEvent.Origin.source("signals"), ", from signals"), (.manual, ""),
      (.synthesized, ", filled in"), (.catchUp, ", catch-up"),
    ]
  )
  func events(_ origin: LifecycleEvent.Origin, _ words: String) {
    let event = LifecycleEvent(
      kind: .systemDidWake,
      previousPhase: .active,
      phase: .active,
      sequenceNumber: 1,
      instant: Story().now,
      origin: origin,
      metadata: ["b": "2", "a": "1"]
    )
    let detail = RecordText.detail(of: .event(event)) { _ in "" }
    expectNoDifference(detail, "systemDidWake (active\(words)) · a: 1 · b: 2")
  }
}

@Suite("Text from a recording is made safe")
struct SafeTextTests {
  @Test(
    "What could control a terminal, or reorder a line, is written as its number",
    arguments: [
      ("plain, ünïcödé, 漢字", "plain, ünïcödé, 漢字"),
      ("\u{1B}[31m", "\\u{1B}[31m"),
      ("\u{9B}31m\u{7F}\u{0}\r\n\t", "\\u{9B}31m\\u{7F}\\u{0}\\u{D}\\u{A}\\u{9}"),
      ("\u{202E}\u{2066}\u{200B}\u{2028}", "\\u{202E}\\u{2066}\\u{200B}\\u{2028}"),
    ]
  )
  func visible(_ text: String, _ expected: String) {
    expectNoDifference(SafeText.visible(text), expected)
  }

  @Test("Markup in a text is escaped")
  func markup() {
    expectNoDifference(
      SafeText.markup("</script>\"'&\u{0}"),
      "&lt;/script&gt;&quot;&#39;&amp;\\u{0}"
    )
  }

  @Test("A JSON string can't end the script element that it is in")
  func json() {
    expectNoDifference(
      SafeText.json("</script><!--\"\\&\n"),
      "\"\\u003c/script\\u003e\\u003c!--\\\"\\\\\\u0026\\\\u{A}\""
    )
  }
}

@Suite("Texts and marks without room")
struct TextLimitTests {
  @Test(
    "A count of a thousand or more is written in k or M",
    arguments: [
      (999, "999"), (1_000, "1.0k"), (9_999, "9.9k"), (12_345, "12k"), (999_999, "999k"),
      (1_500_000, "1M"),
    ]
  )
  func counts(_ count: Int, _ text: String) {
    expectNoDifference(MarkGroup.short(count), text)
  }

  @Test("A text that does not fit ends with an ellipsis, or is left out if that does not fit")
  func noRoom() {
    expectNoDifference(PictureParts.fitted("Wm", width: 20, size: 12), "")
    expectNoDifference(PictureParts.fitted("Wm", width: 24, size: 12), "Wm")
    expectNoDifference(PictureParts.fitted("Wmm", width: 24, size: 12), "W…")
  }
}
