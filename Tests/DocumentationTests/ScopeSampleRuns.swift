import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Documentation samples of scopes run")
@MainActor
struct ScopeSampleRuns {
  private let samples = ScopeSamples()

  @Test("A screen that appears twice refreshes once")
  func appearances() {
    let screen = ScopeSamples.ListScreen(bus: samples.bus)
    samples.bus.send(.didBecomeActive)
    for _ in 1...2 {
      screen.viewWillAppear()
      samples.bus.send(.didEnterBackground)
      samples.bus.send(.didBecomeActive)
    }
    #expect(screen.refreshes == 2)
    screen.viewDidDisappear()
    #expect(samples.bus.liveSubscriptions.isEmpty)
  }

  @Test("A nested scope ends with its parent")
  func nesting() {
    samples.nesting()
    samples.bus.send(.didBecomeActive)
    expectNoDifference(samples.output, ["scope \"request\" (ended)"])
  }

  @Test("A temporary scope is reported, and observes nothing")
  func temporary() {
    expectReportedIssue("property") { samples.temporary() }
    samples.bus.send(.didBecomeActive)
    expectNoDifference(samples.output, [])
  }

  @Test("The same observer again is one observer")
  func sameObserverAgain() {
    let scope = LifecycleScope("screen")
    samples.sameObserverAgain(scope)
    samples.bus.send(.didEnterBackground)
    expectNoDifference(samples.output, ["saved"])
    scope.end()
  }

  @Test("An expectation names a leak")
  func expectation() {
    var screen: ScopeSamples.LeakingScreen? = .init(bus: samples.bus)
    expectReportedIssue("App/ListScreen.swift:12 (scope \"list\")") {
      expectReleased(&screen, of: samples.bus)
    }
  }

  @Test("A leak is printed as the article shows it")
  func leak() throws {
    samples.leak()
    let blocks = try textBlocks(of: "Scopes")
    #expect(blocks.contains(samples.output), "\(samples.output)")
  }
}
