import CustomDump
import LifecycleBackgroundWork
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

extension InMemoryBackgroundFetchHostTests {
  @Test("Several threads begin, complete and expire fetches of one host, and look at them")
  func severalThreadsUseOneHost() async {
    let (threads, rounds) = (4, 50)
    let host = InMemoryBackgroundFetchHost(clock: ManualClock())
    let unseen = Counter()
    let waiting = Locked<[BackgroundFetchRequest]>([])
    host.setFetchHandler { request in
      request.onExpiration {}
      waiting.withLock { $0.append(request) }
    }
    await awaitOtherThreads(threads) { thread in
      for _ in 0..<rounds {
        host.setMinimumInterval(.seconds(thread))
        host.beginFetch()
        if thread == 0 { host.expire() }
        // Each thread takes one for the one that it has added.
        waiting.withLock { $0.removeFirst() }.complete(.newData)
        if host.minimumInterval == nil || host.results.isEmpty { unseen.add() }
      }
    }
    expectNoDifference(unseen.count, 0)
    let fetches = 1...threads * rounds
    let operations = host.operations
    expectNoDifference(host.results, fetches.map { _ in .newData })
    for number in fetches {
      expectNoDifference(operations.count { $0 == .began(number) }, 1)
      #expect(operations.count { $0 == .expired(number) } <= 1)
      expectNoDifference(operations.count { $0 == .completed(number, .newData) }, 1)
    }
  }
}
