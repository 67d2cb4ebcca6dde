import LifecycleSources
import ReactiveLifecycle
import Testing

@testable import FeedRefresher

@Suite("Feed refresher, the time it asks for")
struct FeedHoldTests {
  @Test("A fetch holds the process until its line is out") @MainActor
  func holdsUntilReported() async throws {
    let server = try await FeedServer()
    let tasks = BackgroundTaskCoordinator(host: .process())
    let refresher = FeedRefresher(
      FeedClient(server.url),
      deadline: .seconds(30),
      on: LifecycleBus(),
      under: tasks
    )
    var heldAtReport: [[String]] = []
    refresher.onUpdate = { update in
      if case .fetch = update { heldAtReport.append(tasks.assistedTasks) }
    }
    refresher.appear(interval: nil)
    await refresher.fetch()
    #expect(heldAtReport == [["feed report"]])
    #expect(tasks.assistedTasks == [])
    refresher.disappear()
  }
}
