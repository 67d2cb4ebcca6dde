import CustomDump
import LifecycleTimelines
import Testing

extension PictureTests {
  @Test("Other widths are taken as the nearest one that is allowed")
  func widths() {
    let timeline = LifecycleTimeline([Story.short.recording])
    let (narrowest, widest) = (timeline.svg(width: 320), timeline.svg(width: 20_000))
    #expect(narrowest.contains("width=\"320\"") && widest.contains("width=\"20000\""))
    for width in [319, 0, -1, .min] { expectNoDifference(timeline.svg(width: width), narrowest) }
    for width in [20_001, .max] { expectNoDifference(timeline.svg(width: width), widest) }
  }
}
