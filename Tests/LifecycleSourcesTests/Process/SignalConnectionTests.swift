import LifecycleSupport
import ReactiveLifecycle
import Testing

@testable import LifecycleSources

@Suite("The connection of a bus to the engine")
struct SignalConnectionTests {
  /// A source that keeps its feed.
  private final class FeedSource: LifecycleSource {
    let name: LifecycleSourceName = "test"
    private let feed = Locked<LifecycleFeed?>(nil)

    func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
      feed.exchange(input)
      return {}
    }

    var input: LifecycleFeed? { feed.withLock { $0 } }
  }

  @Test("A connection that fails is not waited for, and its bus receives nothing")
  func failure() throws {
    let bus = NonisolatedLifecycleBus()
    let source = FeedSource()
    let token = try bus.connect(source)
    let connection = SignalConnection(
      source: .processSignals(),
      input: try #require(source.input)
    )
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
