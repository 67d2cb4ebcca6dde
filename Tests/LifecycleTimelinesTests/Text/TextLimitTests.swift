import CustomDump
import Testing

@testable import LifecycleTimelines

@Suite("Texts and marks without room")
struct TextLimitTests {
  @Test("Between two ticks there is none")
  func noTick() {
    expectNoDifference(TimeAxis(from: 1.21, to: 1.27, count: 1).ticks, [])
    expectNoDifference(TimeAxis(from: 1.19, to: 1.25, count: 1).ticks.count, 1)
  }

  @Test(
    "A count has few characters",
    arguments: [
      (999, "999"), (1_000, "1.0k"), (9_999, "9.9k"), (12_345, "12k"), (999_999, "999k"),
      (1_500_000, "1M"),
    ]
  )
  func counts(_ count: Int, _ text: String) {
    expectNoDifference(MarkGroup.short(count), text)
  }

  @Test("A text for which there is no room is left out, also its first character")
  func noRoom() {
    expectNoDifference(PictureParts.fitted("Wm", width: 20, size: 12), "")
    expectNoDifference(PictureParts.fitted("Wm", width: 24, size: 12), "Wm")
    expectNoDifference(PictureParts.fitted("Wmm", width: 24, size: 12), "W…")
  }

  @Test("A count that grows beyond the edge takes in the single mark before it")
  func grownCount() {
    let marks = ([360] + Array(repeating: 393, count: 1_000)).map {
      LifecycleTimeline.Mark(time: .seconds($0), style: .input, label: "", detail: "", record: 0)
    }
    let groups = MarkGroup.groups(of: marks, x: { $0 / .seconds(1) }, limit: 400)
    expectNoDifference(groups.map(\.count), [1_001])
    expectNoDifference(groups.map(\.left), [353])
  }
}
