import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@testable import FeedRefresher

@MainActor
@Suite("Feed refresher")
struct FeedRefresherTests {
  private func makeRefresher(
    of server: FeedServer,
    on bus: LifecycleBus,
    _ host: InMemoryBackgroundTaskHost
  ) -> FeedRefresher {
    let (client, tasks) = (FeedClient(server.url), BackgroundTaskCoordinator(host: host))
    return FeedRefresher(deadline: .seconds(86_400), on: bus, tasks: tasks) { onProgress in
      try await client.refresh(onProgress: onProgress).map(\.title)
    }
  }

  @Test("A background task is held until a fetch is reported")
  func fetchIsHeldUntilDelivered() async throws {
    let server = try FeedServer()
    let host = InMemoryBackgroundTaskHost()
    let refresher = makeRefresher(of: server, on: LifecycleBus(), host)
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

  @Test("A fetch that has failed is tried again after the return to the foreground, once")
  func failedFetchIsTriedAgain() async throws {
    let server = try FeedServer()
    let bus = LifecycleBus()
    let refresher = makeRefresher(of: server, on: bus, InMemoryBackgroundTaskHost())
    var results: [BackgroundFetchResult] = []
    refresher.onUpdate = { update in
      if case .fetch(let fetch) = update { results.append(fetch.result) }
    }
    server.publish(Data("no feed".utf8))
    refresher.appear(interval: nil)
    await refresher.fetch()
    server.publish(Feeds.rss("a"))
    for _ in 1...2 {
      bus.send(.didEnterBackground)
      bus.send(.didBecomeActive)
      #expect(await eventually { results.count == 2 })
    }
    expectNoDifference(results, [.failed, .newData])
    refresher.disappear()
  }
}
