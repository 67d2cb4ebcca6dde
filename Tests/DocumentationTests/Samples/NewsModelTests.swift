import LifecycleTesting
import ReactiveLifecycle
import Testing

@MainActor
@Suite("News")
struct NewsModelTests {
  private let lifecycle = ScriptedLifecycle()

  @Test("Headlines that are a minute old are loaded again, however short each stay was")
  func refreshes() {
    var edition = 0
    let news = NewsModel(bus: lifecycle.bus) {
      edition += 1
      return ["edition \(edition)"]
    }
    lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(59)))
    #expect(news.headlines == ["edition 1"])

    lifecycle.expect(news, after: .background(for: .seconds(1))) {
      $0.headlines = ["edition 2"]
    }
  }

  @Test("A model that is released leaves no observer behind")
  func leaks() {
    var news: NewsModel? = NewsModel(bus: lifecycle.bus) { [] }
    lifecycle.perform(.launch, .becomeActive)
    expectReleased(&news, of: lifecycle.bus)
    expectNoLiveSubscriptions(of: lifecycle)
  }
}
