import CustomDump
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@Suite("Background fetch: hosts")
@MainActor
struct BackgroundFetchHostTests {
  @Test("A host's request becomes a fetch, and is completed after the observers were notified")
  func hostRequestBecomesFetch() async {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let host = InMemoryBackgroundFetchHost(clock: clock)
    let fetches = BackgroundFetchCoordinator(of: bus)
    let scope = LifecycleScope()
    fetches.addHandler(named: "inbox", in: scope) { .newData }
    let received = Locked<[[BackgroundFetchResult]]>([])
    bus.addObserver(for: [.backgroundFetchDidComplete], in: scope) { _ in
      received.withLock { $0.append(host.results) }
    }
    fetches.setMinimumInterval(.zero)
    let connection = fetches.connect(host)
    for interval: Duration? in [.seconds(900), nil, .seconds(-1)] {
      fetches.setMinimumInterval(interval)
    }
    let result = await host.fetch()
    expectNoDifference(result, .newData)
    expectNoDifference(received.withLock { $0 }, [[]])
    connection.cancel()
    connection.cancel()
    fetches.setMinimumInterval(nil)
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
    withExtendedLifetime((bus, fetches, scope)) {}
  }

  @Test("A fetch continues when its connection ends")
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

  // MARK: Several coordinators

  /// Returns a coordinator whose handler has that result.
  private func coordinator(
    of bus: LifecycleBus,
    in scope: LifecycleScope,
    _ result: BackgroundFetchReport.HandlerResult
  ) -> BackgroundFetchCoordinator {
    let fetches = BackgroundFetchCoordinator(of: bus)
    fetches.addHandler(named: "inbox", in: scope) { result }
    return fetches
  }

  @Test("A second coordinator takes a host over, which is reported at its line, and gives it back")
  func secondCoordinator() async {
    let (bus, scope) = (LifecycleBus(clock: ManualClock()), LifecycleScope())
    let first = coordinator(of: bus, in: scope, .newData)
    let second = coordinator(of: bus, in: scope, .failed(FetchTrouble()))
    let host = InMemoryBackgroundFetchHost()
    let old = first.connect(host)
    first.setMinimumInterval(.seconds(900))
    second.setMinimumInterval(nil)
    var new: LifecycleCancellable?
    expectReportedIssue("connected to another coordinator", line: #line + 1) {
      new = second.connect(host)
    }
    #expect(await host.fetch() == .failed)
    expectNoDifference(host.minimumInterval, nil)
    new?.cancel()
    #expect(await host.fetch() == .newData)
    expectNoDifference(host.minimumInterval, .seconds(900))
    old.cancel()
    #expect(await host.fetch() == .noData)
    // If the earlier connection ends first, the host keeps its interval, and is not set again.
    let earlier = second.connect(host)
    let issues = reportedIssues { new = first.connect(host) }
    expectNoDifference(issues.count, 1)
    let operations = host.operations
    earlier.cancel()
    expectNoDifference(host.operations, operations)
    #expect(await host.fetch() == .newData)
    // Its own interval was never set.
    let third = coordinator(of: bus, in: scope, .noData)
    let other = InMemoryBackgroundFetchHost()
    let only = third.connect(other)
    _ = reportedIssues { first.connect(other).cancel() }
    expectNoDifference(other.minimumInterval, nil)
    withExtendedLifetime((bus, scope, first, second, third, new, only)) {}
  }

  @Test("A coordinator that was released gives the host back, though it is still connected")
  func releasedSecondCoordinator() async {
    let (bus, scope) = (LifecycleBus(clock: ManualClock()), LifecycleScope())
    var first: BackgroundFetchCoordinator? = coordinator(of: bus, in: scope, .newData)
    let host = InMemoryBackgroundFetchHost()
    let old = first?.connect(host)
    first?.setMinimumInterval(.seconds(900))
    var second: BackgroundFetchCoordinator? = coordinator(of: bus, in: scope, .noData)
    second?.setMinimumInterval(nil)
    var new: LifecycleCancellable?
    let issues = reportedIssues { new = second?.connect(host) }
    expectNoDifference(issues.count, 1)
    #expect(await host.fetch() == .noData)
    second = nil
    #expect(await host.fetch() == .newData)
    new?.cancel()
    expectNoDifference(host.minimumInterval, .seconds(900))
    // From a coordinator that was released, nothing is taken away.
    withExtendedLifetime(first) {}
    first = nil
    let last = coordinator(of: bus, in: scope, .noData)
    let connection = last.connect(host)
    #expect(await host.fetch() == .noData)
    withExtendedLifetime((bus, scope, last, old, connection)) {}
  }

  @Test("Of two connections of a host, the newer one keeps its handler when the older one ends")
  func endOfOldConnectionLeavesNewerHandler() async {
    let (bus, scope) = (LifecycleBus(clock: ManualClock()), LifecycleScope())
    let fetches = coordinator(of: bus, in: scope, .newData)
    let host = InMemoryBackgroundFetchHost()
    let other = InMemoryBackgroundFetchHost()
    let apart = fetches.connect(other)
    // The older one ends first, then the newer one.
    for isOlderFirst in [true, false] {
      let connections = [fetches.connect(host), fetches.connect(host)]
      connections[isOlderFirst ? 0 : 1].cancel()
      #expect(await host.fetch() == .newData)
      connections[isOlderFirst ? 1 : 0].cancel()
      #expect(await host.fetch() == .noData)
    }
    #expect(await other.fetch() == .newData)
    apart.cancel()
    #expect(await other.fetch() == .noData)
    withExtendedLifetime((bus, scope, fetches)) {}
  }

  // MARK: Handlers that come too late

  @Test("A fetch before the first handler is added is reported at the connection's line")
  func fetchBeforeHandler() async {
    let (bus, scope) = (LifecycleBus(clock: ManualClock()), LifecycleScope())
    let fetches = BackgroundFetchCoordinator(of: bus)
    let host = InMemoryBackgroundFetchHost()
    let connection = fetches.connect(host)
    let line = #line - 1
    expectReportedIssue("before a handler was added", line: line) { host.beginFetch() }
    expectNoDifference(host.results, [.noData])
    // A handler in a scope that has ended is not added.
    scope.end()
    expectReportedIssue("already ended", line: #line + 1) {
      fetches.addHandler(named: "inbox", in: scope) { .newData }
    }
    expectReportedIssue("before a handler was added", line: line) { host.beginFetch() }
    // Once there was a handler, it is no mistake to have none.
    let registration = fetches.addHandler(named: "inbox") { .newData }
    #expect(await host.fetch() == .newData)
    registration.cancel()
    #expect(await host.fetch() == .noData)
    withExtendedLifetime((bus, scope, fetches, connection)) {}
  }
}
