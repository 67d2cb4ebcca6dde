import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleSources

@Suite("The connection of a bus to the engine")
struct SignalConnectionTests {
  @Test("A connection that fails is not waited for, and its bus receives nothing")
  func failure() throws {
    let bus = NonisolatedLifecycleBus()
    let source = FeedSource("test")
    let token = try bus.connect(source)
    let connection = SignalConnection(source: .processSignals(), input: source.feed)
    let end = SignalAnnouncement(
      .termination,
      signal: .terminate,
      moment: .now,
      timeout: .seconds(3600)
    )
    end.expect(connection)
    connection.begin(end)
    #expect(end.late.count == 1)
    connection.abandon()
    #expect(end.late.isEmpty)
    #expect(!end.isAccepted)
    #expect(bus.phase == .unknown)
    token.cancel()
  }
}
