import LifecycleTimelines
import ReactiveLifecycle
import Testing

extension PictureTests {
  @Test("Several inputs that are drawn as one have a dashed border if one is suppressed")
  func suppressedInGroup() {
    func picture(_ isSuppressed: Bool) -> String {
      var story = Story()
      story.connect(1, "signals")
      story.input(.didBecomeActive, from: 1)
      if isSuppressed {
        story.suppress(.didBecomeActive, from: 1, .duplicate)
      } else {
        story.input(.didReceiveMemoryWarning, from: 1)
      }
      story.wait(.seconds(9))
      story.note("end")
      return LifecycleTimeline([story.recording]).svg
    }
    #expect(picture(true).contains("class=\"pill pill-suppressed\""))
    #expect(picture(true).contains(".pill-suppressed{stroke-width:1.5;stroke-dasharray:4 2}"))
    #expect(!picture(false).contains("class=\"pill pill-suppressed\""))
  }
}
