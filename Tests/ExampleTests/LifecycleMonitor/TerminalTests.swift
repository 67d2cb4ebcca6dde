import CustomDump
import LifecycleCore
import LifecycleFlightRecording
import LifecycleTimelines
import ReactiveLifecycle
import TestSupport
import Testing

@testable import lifecycle_monitor

@Suite("A timeline in the terminal")
struct TerminalTests {
  @Test("Runs are drawn one after the other, with a kill and the task that it left open")
  func runs() {
    expectNoDifference(
      LifecycleTimeline(Story.runs).text(columns: 76, usesColor: false),
      """
      rental · 2 min 20 s · 3 runs · 31 records · 1 killed
      2026-01-15 09:26:40 – 09:29:00 UTC

      Process           ────────■  rental 4802──✗            rental 313───────────
      Phase             █████████  ██████████████            ███████████░░░░░░░░░░
      Events            3       ▼  3            2            3         2
      In background                                                    ══ 25 s ═══
      program           3       ●  3            2            3         2
      Background tasks             ━━━━━━━━━━━━━━ upload: no end recorded
      Notes                                                                      ■
                        ├───────────────────────┴────────────────────────┴────────
                        0                       1 min                    2 min
      UTC               09:26:40                09:27:40                 09:28:40

      █ active  ░ background  ▲ upward  ▼ downward  ● input  ✗ killed
      2–9 marks in a column  # ten or more
      """
    )
  }

  @Test("A suppressed input has its reason beside it, or below; among several inputs it is an X")
  func suppressedInputs() {
    let timeline = LifecycleTimeline([Story.rental.recording])
    expectNoDifference(
      sourceLanes(timeline.text(columns: 90, usesColor: false)),
      """
      signals                 3────x──2──────────────────────────────2────────────────────────2●
                                   duplicate
      terminal focus (ceili…  ──────────────x masked ───────────────────────────────────────────
      """
    )
    var late = Story()
    late.connect(1, "signals")
    late.wait(.seconds(9))
    late.suppress(.didBecomeActive, from: 1, .duplicate)
    late.suppress(.didEnterBackground, from: 1, .masked)
    late.suppress(.didBecomeActive, from: 1, .duplicate)
    let text = LifecycleTimeline([late.recording]).text(columns: 60, usesColor: false)
    expectNoDifference(
      sourceLanes(text),
      """
      signals   ─────────────────────────────────────────────────X
                                                 duplicate, masked
      """
    )
    #expect(text.contains("x suppressed input  X several, some suppressed"))
  }

  /// The lanes of sources whose inputs change the phase.
  private func sourceLanes(_ text: String) -> String {
    text.split(separator: "\n").drop { !$0.hasPrefix("signals") }
      .prefix { !$0.hasPrefix("system") && !$0.contains("├") }
      .joined(separator: "\n")
  }

  @Test("In a narrow terminal, the name of a lane stands above it")
  func narrow() {
    expectNoDifference(
      LifecycleTimeline([Story.short.recording]).text(columns: 20, usesColor: false),
      """
      rental · 30 s · 1 r…
      2026-01-15 09:26:40…

      Process
      rental 4711────────■
      Phase
      ███████░░░░░░░░░░███
      Events
      3     2         2  ▼
      In background
            ══ 15 s ═══
      program
      3     2         2  ●
      ├──────────────────┴
      0
      UTC
      09:26:40

      █ active
      ░ background
      ▲ upward  ▼ downward
      ● input
      2–9 marks in a colu…
      # ten or more
      """
    )
  }

  @Test("A drawing with colors has the same characters as one without")
  func colors() {
    let timeline = LifecycleTimeline([Story.rental.recording])
    let colored = timeline.text(columns: 90, usesColor: true)
    #expect(colored.contains("\u{1B}[34m█"))
    let plain = colored.replacing(#/\u{1B}\[\d+m/#, with: "")
    expectNoDifference(plain, timeline.text(columns: 90, usesColor: false))
  }

  @Test("A timeline without recordings is drawn as an axis alone")
  func empty() {
    expectNoDifference(
      LifecycleTimeline([], title: "nothing").text(columns: 40, usesColor: false),
      """
      nothing · 0 µs · 0 runs · 0 records

                ├─────────────────────────────
                0
      """
    )
  }

  @Test("No line is wider than the terminal, and nothing controls it", arguments: seeds(40))
  func widths(_ seed: UInt64) {
    let timeline = LifecycleTimeline(RandomRecording.runs(seed: seed))
    for columns in [1, 2, 5, 12, 23, 39, 40, 41, 57, 80, 133, 300] {
      for line in timeline.text(columns: columns, usesColor: false).split(separator: "\n") {
        #expect(columnsAtMost(line) <= columns, "\(line)")
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0) ~= $0.value })
      }
    }
  }

  @Test("The line of a record has its time, form and text, cut off at the width")
  func line() {
    let recording = Story.rental.recording
    let lines = [3, 8, 22, 41].map { index in
      LifecycleTimeline.line(
        for: recording.records[index],
        since: recording.start.instant,
        sources: [1: "signals"]
      )
    }
    expectNoDifference(
      lines.joined(separator: "\n"),
      """
          +0.000 │ observer 1 added: App/Main.swift:12 (scope "screen")
          +1.000 ▲ willEnterForeground (background → inactive, from signals)
         +42.000 x input willEnterForeground from source 2, suppressed: masked
        +185.000 ■ note: rental ended
      """
    )

    // Nothing in a line controls the terminal, and it is cut off at the width.
    let note = FlightRecord(.note("\u{1B}[2J"), at: recording.start.instant)
    func line(_ columns: Int?, usesColor: Bool) -> String {
      LifecycleTimeline.line(
        for: note,
        since: recording.start.instant,
        columns: columns,
        usesColor: usesColor
      )
    }
    expectNoDifference(
      line(nil, usesColor: true),
      "    +0.000 \u{1B}[32m■\u{1B}[0m note: \\u{1B}[2J"
    )
    expectNoDifference(line(20, usesColor: false), "    +0.000 ■ note: …")
  }

  /// Independent of the code under test: letters beyond Latin, Greek and Cyrillic take two columns.
  private func columnsAtMost(_ line: Substring) -> Int {
    line.unicodeScalars.reduce(0) { sum, scalar in
      let isWide = (0x1100...0xFFFF_FF) ~= scalar.value && !((0x2000...0x27BF) ~= scalar.value)
      return sum + (isWide ? 2 : 1)
    }
  }

  @Test("A column has the phase that lasted longest in it, in one part or in several")
  func longestPhase() {
    var story = Story()
    story.launch()
    // The first column: 3 s active, 7 s in the background, and 1 s active.
    story.wait(.seconds(3))
    story.leave()
    story.wait(.seconds(7))
    story.comeBack()
    story.wait(.seconds(1 + 3))
    // The second one: 3 s active, 5 s in the background, and 3 s active.
    story.leave()
    story.wait(.seconds(5))
    story.comeBack()
    story.wait(.seconds(3 + 18 * 11))
    story.end()
    let lines = LifecycleTimeline([story.recording]).text(columns: 20, usesColor: false)
      .split(separator: "\n")
    let phases = lines.drop { $0 != "Phase" }.dropFirst().first
    expectNoDifference(phases, "░" + String(repeating: "█", count: 19)[...])
  }

  @Test("Without colors, the characters tell the forms in each lane apart")
  func forms() {
    typealias Style = LifecycleTimeline.Style
    var styles: [LifecycleTimeline.Lane.Subject: Set<Style>] = [:]
    let stories = (1...30).map(RandomRecording.runs) + [[Story.rental.recording], Story.runs]
    for lane in stories.flatMap({ LifecycleTimeline($0).lanes }) {
      styles[lane.subject, default: []].formUnion(lane.spans.map(\.style))
      styles[lane.subject, default: []].formUnion(lane.marks.map(\.style))
    }
    // A change is in the list of the records alone.
    let drawn = styles.values.reduce(into: Set()) { $0.formUnion($1) }
    expectNoDifference(Set(Style.allCases).subtracting(drawn), [.change])
    for (subject, styles) in styles {
      let symbols = Set(styles.map { TerminalStyle($0).symbol })
      expectNoDifference(symbols.count, styles.count, "\(subject)")
      #expect(symbols.isDisjoint(with: "23456789#X"), "\(subject)")
    }
  }

  @Test(
    "A text is cut off at the width that it has at most",
    arguments: [
      ("rental", 6, "rental"), ("rental", 5, "rent…"), ("漢字", 4, "漢字"), ("漢字", 3, "漢…"),
      ("漢字", 2, "…"), ("\u{1B}", 3, "\\u…"), ("rental", 1, "…"), ("rental", 0, ""),
    ]
  )
  func fitted(_ text: String, _ columns: Int, _ expected: String) {
    expectNoDifference(SafeText.fitted(text, columns: columns), expected)
  }
}
