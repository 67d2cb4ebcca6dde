import CustomDump
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import Testing

@testable import FeedRefresher

@MainActor
@Suite("Feed refresher")
struct FeedRefresherTests {
  @Test("A fetch is held until it was told, not only until it was loaded")
  func fetchIsHeldUntilDelivered() async throws {
    let server = try await FeedServer()
    let host = InMemoryBackgroundTaskHost()
    let refresher = FeedRefresher(
      FeedClient(server.url),
      deadline: .seconds(86_400),
      on: LifecycleBus(),
      under: BackgroundTaskCoordinator(host: host)
    )
    var open: [Int] = []
    refresher.onUpdate = { update in
      if case .fetch = update { open.append(host.openTasks.count) }
    }
    refresher.appear(interval: nil)
    await refresher.fetch()
    expectNoDifference(open, [1])
    host.expectNoOpenTasks()
    refresher.disappear()
  }
}
