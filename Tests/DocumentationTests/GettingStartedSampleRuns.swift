import CustomDump
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Documentation samples of the first steps run")
@MainActor
struct GettingStartedSampleRuns {
  private let samples = GettingStartedSamples()
  private let clock = ManualClock()

  @Test("The path is printed as the article shows it")
  func printedPath() throws {
    samples.path()
    let blocks = try textBlocks(of: "GettingStarted")
    #expect(blocks.contains(samples.output), "\(samples.output)")
  }

  @Test("An owner observes without a scope")
  func owner() {
    let bus = LifecycleBus(clock: clock)
    samples.owner(bus)
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(90))
    bus.send(.didBecomeActive)
    expectNoDifference(samples.output, ["refreshed after 90.0 seconds"])
  }

  @Test("A publisher of what the user sees")
  func publisher() {
    let bus = LifecycleBus(clock: clock)
    let scope = LifecycleScope()
    samples.publisher(bus, in: scope)
    bus.send(.didBecomeActive)
    bus.send(.didEnterBackground)
    scope.end()
    expectNoDifference(samples.output, ["out of sight", "in sight", "out of sight"])
  }

  @Test("The tests of the model take milliseconds, in which minutes pass")
  func tests() {
    var time = Duration.zero
    let elapsed = ContinuousClock().measure {
      time = processorTime {
        NewsModelTests().refreshes()
        NewsModelTests().leaks()
      }
    }
    #expect(time < .milliseconds(500))
    #expect(elapsed < .seconds(59 + 60), "no minute is waited for")
  }

  @Test("The model takes the bus of the application by itself")
  func defaultBus() {
    let bus = LifecycleBus(clock: clock)
    let news = LifecycleBus.withApplication(bus) { NewsModel { ["edition"] } }
    expectNoDifference(bus.liveSubscriptions.count, 1)
    expectNoDifference(news.headlines, ["edition"])
  }
}
