import CustomDump
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// Parts of a source, each with a say of its own.
@MainActor
@Suite("Parts of a source")
struct PartTests {
  private let bus = LifecycleBus(clock: ManualClock())
  private let source = TestSource("windows")

  @Test("A part of a source has its own phase and role, and withdraws alone")
  func ownSay() throws {
    let trace = Trace()
    let connection = try bus.connect(source)
    let token = bus.addObserver { trace($0.line) }
    let left = source.feed.part(as: .participant("left"))
    let lid = source.feed.part(as: .ceiling)
    trace(source.feed.send(.didFinishLaunching).line)
    trace(left.send(.didBecomeActive).line)
    trace(left.send(.didBecomeActive).line)
    trace(lid.send(.willResignActive).line)
    expectNoDifference(
      trace.take(),
      [
        "1 didFinishLaunching unknown→background source(windows)", "delivered",
        "2 willEnterForeground background→inactive synthesized",
        "3 didBecomeActive inactive→active source(windows)", "delivered",
        "suppressed duplicate",
        "4 willResignActive active→inactive source(windows)", "delivered",
      ]
    )
    expectNoDifference(
      bus.diagnostics.participants.map { "\($0.name) \($0.phase) \($0.sources[0].origin)" },
      ["application background source(windows)", "left active source(windows)"]
    )
    lid.disconnect()
    lid.disconnect()
    trace(lid.send(.didEnterBackground).line)
    expectNoDifference(
      trace.lines,
      ["5 didBecomeActive inactive→active synthesized", "suppressed disconnected"]
    )
    connection.cancel()
    token.cancel()
  }

  @Test("Parts are disconnected with their source, and with the part that made them")
  func leaveTogether() throws {
    let connection = try bus.connect(source, as: .participant("program"))
    let window = source.feed.part(as: .participant("window"))
    let tab = window.part(as: .participant("tab"))
    let lid = tab.part(as: .ceiling)
    let other = source.feed.part(as: .participant("other"))
    tab.send(.didBecomeActive)
    lid.send(.willResignActive)
    expectNoDifference(bus.phase, .inactive)
    other.send(.didBecomeActive)
    window.disconnect()
    expectNoDifference(bus.phase, .active, "the part's own parts went with it, its ceiling too")
    for input in [window, tab, lid] {
      #expect(input.send(.didEnterBackground) == .suppressed(.disconnected))
    }
    expectNoDifference(bus.diagnostics.participants.map(\.name), ["other", "program"])
    connection.cancel()
    expectNoDifference(other.send(.didEnterBackground), .suppressed(.disconnected))
    // Nor has a part that is asked for now.
    let late = source.feed.part(as: .ceiling)
    expectNoDifference(late.send(.didBecomeActive), .suppressed(.disconnected))
    #expect(bus.diagnostics.participants.isEmpty && bus.diagnostics.ceilings.isEmpty)
  }

  @Test("Parts made while their source is disconnected are disconnected, too")
  func partsMadeWhileTheSourceLeaves() async throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    for _ in 0..<200 {
      let connection = try bus.connect(source)
      let feed = source.feed
      await awaitOtherThreads(3) { thread in
        guard thread > 0 else { return connection.cancel() }
        for number in 0..<5 {
          let name = LifecycleParticipant(rawValue: "\(thread) \(number)")
          feed.part(as: .participant(name)).send(.didBecomeActive)
        }
      }
      #expect(bus.diagnostics.participants.isEmpty)
    }
  }
}
