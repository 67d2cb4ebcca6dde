import CustomDump
import TestSupport
import Testing

@testable import LifecycleTimelines

extension TerminalTests {
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
    let stories = (1...30).map(Story.random) + [[Story.rental.recording], Story.runs]
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
}
