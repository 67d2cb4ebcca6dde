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
    expectNoDifference(screen.refreshes, 2)
    screen.viewDidDisappear()
    #expect(samples.bus.liveSubscriptions.isEmpty)
  }

  @Test("A nested scope ends with its parent")
  func nesting() {
    samples.nesting()
    samples.bus.send(.didBecomeActive)
    expectNoDifference(samples.output, ["scope \"request\" (ended)"])
  }

  @Test("A scope holds closures, tasks and loops")
  func tasksAndClosures() async throws {
    let scope = LifecycleScope("server")
    let server = ScopeSamples.Server()
    try samples.open(server, in: scope)
    samples.bus.send(.didFinishLaunching)
    var lines: Set<String?> = []
    for _ in 1...3 { lines.insert(await server.log.next()) }
    expectNoDifference(lines, ["warm", "unknown", "background"])
    scope.end()
    #expect(await server.log.next() == "closed")
    #expect(samples.bus.liveSubscriptions.isEmpty)
  }

  @Test("A scope ends at a phase")
  func atAPhase() {
    samples.bus.send(.didBecomeActive)
    let scope = LifecycleScope("screen")
    samples.atAPhase(scope)
    #expect(!scope.isEnded)
    samples.bus.send(.didEnterBackground)
    #expect(scope.isEnded)
  }

  @Test("A model receives what is sent before its tasks run, and is released")
  func noteModel() async {
    var model: ScopeSamples.NoteModel? = .init(bus: samples.bus)
    samples.bus.send(.systemDidWake)
    while model?.kinds.count != 2 { await Task { @MainActor in }.value }
    expectNoDifference(model?.kinds.contains(.systemDidWake), true)
    model = nil
    #expect(samples.bus.liveSubscriptions.isEmpty)
  }

  @Test("Tasks that can throw, and tasks that exist already")
  func otherTasks() async throws {
    let scope = LifecycleScope("uploads")
    let result = try await samples.upload(ScopeSamples.Client(), "report", in: scope)
    expectNoDifference(result, "uploaded report")
    let log = ScopeSamples.Server.Log()
    let clock = ManualClock()
    samples.index(ScopeSamples.Indexer(log: log), on: clock, in: scope)
    clock.advance(by: .zero)
    #expect(await log.next() == "indexed")
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
