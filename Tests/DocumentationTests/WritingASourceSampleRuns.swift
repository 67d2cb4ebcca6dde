import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of sources run")
@MainActor
struct WritingASourceSampleRuns {
  private let bus = LifecycleBus(clock: ManualClock())

  @Test("Windows come and go as participants")
  func windowsComeAndGo() throws {
    let windows = Windows()
    let connection = try bus.connect(WindowServer(windows: windows))
    let closeFirst = windows.open(1)
    let closeSecond = windows.open(2)
    expectNoDifference(bus.phase, .active)
    expectNoDifference(
      bus.diagnostics.participants.map(\.name),
      ["application", "window 1", "window 2"]
    )
    closeFirst()
    closeSecond()
    expectNoDifference(bus.diagnostics.participants.map(\.name), ["application"])
    connection.cancel()
  }

  @Test("A source waits for the observers")
  func sourceWaits() throws {
    let source = ScriptedFeed()
    let connection = try bus.connect(source)
    var events: [LifecycleEvent.Kind] = []
    let token = bus.addObserver { event in
      events.append(event.kind)
      // An observer can't wait for the observers.
      if event.kind == .systemWillSleep { logOut(source.input) { #expect($0.contains("running")) } }
    }
    source.input.send(.systemWillSleep)
    expectNoDifference(events, [.systemWillSleep, .willTerminate])
    logOut(source.input) { _ in Issue.record("suppressed, so no observer runs") }
    token.cancel()
    connection.cancel()
  }

  /// A source that hands out its feed.
  private final class ScriptedFeed: LifecycleSource {
    let name: LifecycleSourceName = "scripted"
    private let feed = Locked<LifecycleFeed?>(nil)
    var input: LifecycleFeed { feed.withLock { $0! } }

    func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
      feed.withLock { $0 = input }
      return {}
    }
  }
}
