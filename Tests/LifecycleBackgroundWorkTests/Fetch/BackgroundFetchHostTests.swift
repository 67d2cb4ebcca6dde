import CustomDump
import LifecycleBackgroundWork
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Background fetch: hosts")
@MainActor
struct BackgroundFetchHostTests {
  @Test("A host's request becomes a fetch, completed after the observers were told")
  func hostRequestBecomesFetch() async {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let host = InMemoryBackgroundFetchHost(clock: clock)
    let fetches = BackgroundFetchCoordinator(of: bus)
    let scope = LifecycleScope()
    fetches.addHandler(named: "inbox", in: scope) { .newData }
    let told = Locked<[[BackgroundFetchResult]]>([])
    bus.addObserver(for: [.backgroundFetchDidComplete], in: scope) { _ in
      told.withLock { $0.append(host.results) }
    }
    fetches.setMinimumInterval(.minimum)
    let connection = fetches.connect(host)
    for interval: BackgroundFetchInterval in [
      .after(.seconds(900)), .never, .after(.seconds(-1)),
    ] {
      fetches.setMinimumInterval(interval)
    }
    let result = await host.fetch()
    expectNoDifference(result, .newData)
    expectNoDifference(told.withLock { $0 }, [[]])
    connection.cancel()
    connection.cancel()
    fetches.setMinimumInterval(.never)
    let second = await host.fetch()
    expectNoDifference(second, .noData)
    expectNoDifference(
      host.operations,
      [
        .setMinimumInterval(.zero), .setMinimumInterval(.seconds(900)),
        .setMinimumInterval(nil), .setMinimumInterval(.zero), .began(1),
        .completed(1, .newData), .began(2), .completed(2, .noData),
      ]
    )
  }

  @Test("When the host wants the time back, the deadline is now")
  func hostThatWantsTimeBackMakesDeadlineNow() {
    let clock = ManualClock()
    let stage = BackgroundFetchStage()
    let host = InMemoryBackgroundFetchHost(clock: clock)
    stage.add("hung")
    let connection = stage.fetches.connect(host)
    host.beginFetch()
    stage.clock.advance(by: .zero)
    host.expire()
    expectNoDifference(host.operations, [.began(1), .expired(1), .completed(1, .failed)])
    expectNoDifference(stage.trace.lines, ["hung runs", "hung cancelled"])
    withExtendedLifetime(connection) {}
  }

  @Test("A connection that ends during a fetch leaves it under way")
  func connectionEndsDuringAFetch() {
    let stage = BackgroundFetchStage()
    let host = InMemoryBackgroundFetchHost(clock: stage.clock)
    stage.add("inbox")
    let connection = stage.fetches.connect(host)
    host.beginFetch()
    stage.clock.advance(by: .zero)
    connection.cancel()
    stage.answer("inbox", .newData)
    expectNoDifference(host.operations, [.began(1), .completed(1, .newData)])
  }

  @Test("A request after the coordinator's release has failed; a connection ends when released")
  func requestAfterReleaseFails() async {
    let stage = BackgroundFetchStage()
    let host = InMemoryBackgroundFetchHost(clock: stage.clock)
    var connection: LifecycleCancellable? = stage.fetches.connect(host)
    stage.releaseCoordinator()
    #expect(await host.fetch() == .failed)
    #expect(connection != nil)
    connection = nil
    #expect(await host.fetch() == .noData)
  }

  @Test("An old connection's end leaves the handler of a newer one on the same host alone")
  func endOfOldConnectionLeavesNewerHandler() async {
    let bus = LifecycleBus(clock: ManualClock())
    let (first, second) = (BackgroundFetchCoordinator(of: bus), BackgroundFetchCoordinator(of: bus))
    let scope = LifecycleScope()
    first.addHandler(named: "first", in: scope) { throw FetchTrouble() }
    second.addHandler(named: "second", in: scope) { .newData }
    let host = InMemoryBackgroundFetchHost()
    let other = InMemoryBackgroundFetchHost()
    let old = first.connect(host)
    let apart = first.connect(other)
    let new = second.connect(host)
    #expect(await host.fetch() == .newData)
    old.cancel()
    #expect(await host.fetch() == .newData)
    new.cancel()
    #expect(await host.fetch() == .noData)
    // The other way round: the newest ends first.
    let third = second.connect(host)
    let fourth = first.connect(host)
    fourth.cancel()
    third.cancel()
    #expect(await host.fetch() == .noData)
    #expect(await other.fetch() == .failed)
    apart.cancel()
    #expect(await other.fetch() == .noData)
  }
}
