import CustomDump
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@Suite("In-memory host for background fetches")
struct InMemoryBackgroundFetchHostTests {
  private let clock = ManualClock()

  /// Keeps the requests of a host.
  private final class Kept: Sendable {
    private let collected = Collector<BackgroundFetchRequest>()

    var requests: [BackgroundFetchRequest] { collected.values }

    init(_ host: InMemoryBackgroundFetchHost) {
      host.setFetchHandler { [weak self] request in self?.collected(request) }
    }
  }

  @Test("Intervals and results are recorded")
  func intervalsAndResultsAreRecorded() async {
    let host = InMemoryBackgroundFetchHost()
    expectNoDifference(host.minimumInterval, nil)
    host.setMinimumInterval(.seconds(900))
    expectNoDifference(host.minimumInterval, .seconds(900))
    host.setFetchHandler { request in
      expectNoDifference(request.deadline, .seconds(20))
      request.complete(.newData)
    }
    let result = await host.fetch(deadline: .seconds(20))
    expectNoDifference(result, .newData)
    expectNoDifference(
      host.operations,
      [.setMinimumInterval(.seconds(900)), .began(1), .completed(1, .newData)]
    )
    expectNoDifference(host.results, [.newData])
  }

  @Test("A fetch without a handler has the result noData")
  func noHandler() async {
    let host = InMemoryBackgroundFetchHost()
    let result2 = await host.fetch()
    expectNoDifference(result2, .noData)
    host.setFetchHandler { $0.complete(.newData) }
    host.setFetchHandler(nil)
    let result3 = await host.fetch()
    expectNoDifference(result3, .noData)
    expectNoDifference(host.results, [.noData, .noData])
  }

  @Test("Overlapping fetches have separate deadlines and results")
  func overlappingFetchesAreApart() {
    let host = InMemoryBackgroundFetchHost(clock: clock)
    let kept = Kept(host)
    host.beginFetch()
    clock.advance(by: .seconds(10))
    host.beginFetch()
    kept.requests[1].complete(.failed)
    expectNoDifference(host.results, [.failed])
    clock.advance(by: .seconds(19))
    kept.requests[0].complete(.newData)
    clock.advance(by: .seconds(100))
    expectNoDifference(host.results, [.failed, .newData])
    expectNoDifference(clock.timerCount, 0)
  }

  @Test("expire() notifies each running request once")
  func systemCanWantProcessToStopEarly() {
    let host = InMemoryBackgroundFetchHost()
    let kept = Kept(host)
    for _ in 1...3 { host.beginFetch() }
    kept.requests[0].complete(.noData)
    kept.requests[1].onExpiration { [weak request = kept.requests[1]] in
      request?.complete(.failed)
    }
    host.expire()
    host.expire()
    kept.requests[2].complete(.newData)
    expectNoDifference(
      host.operations,
      [
        .began(1), .began(2), .began(3), .completed(1, .noData),
        .expired(2), .completed(2, .failed), .expired(3), .completed(3, .newData),
      ]
    )
  }

  // MARK: Mistakes

  @Test("A second completion is reported at the fetch, and ignored")
  func completedTwice() {
    expectFailures(
      """
      +8: Background fetch 1 was completed twice: first with newData, then with failed. UIKit \
      raises an exception in this case. Complete each request exactly once.
      """
    ) {
      let host = InMemoryBackgroundFetchHost()
      let kept = Kept(host)
      host.beginFetch()
      kept.requests[0].complete(.newData)
      kept.requests[0].complete(.failed)
      expectNoDifference(host.results, [.newData])
    }
  }

  @Test("A fetch that is not complete at its deadline expires, fails, and is reported")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func missedDeadline() async {
    let trace = TimeTrace(clock)
    await expectFailures(
      """
      +9: Background fetch 1 was not completed within 20.0 seconds. In this case, the system \
      suspends the process and launches it less often. Complete the request before the deadline, \
      with failed if necessary.
      """
    ) {
      let host = InMemoryBackgroundFetchHost(clock: clock)
      let kept = Kept(host)
      let fetch = Task(executorPreference: clock) { await host.fetch(deadline: .seconds(20)) }
      clock.advance(by: .zero)
      kept.requests[0].onExpiration { trace("expired") }
      clock.advance(by: .seconds(20))
      expectNoDifference(trace.take(), ["20.0 expired"])
      let result = await fetch.value
      expectNoDifference(result, .failed)
      kept.requests[0].complete(.newData)
      expectNoDifference(host.operations, [.began(1), .expired(1)])
    }
  }

  @Test("A request that is released without a result is reported, and its fetch fails")
  func requestThatIsDroppedIsReported() async {
    var result: BackgroundFetchResult?
    await expectFailures(
      """
      +8: Background fetch 1 can no longer be completed because its request was released. \
      Complete each request exactly once, on every path.
      """
    ) {
      let host = InMemoryBackgroundFetchHost()
      host.setFetchHandler { _ in }
      result = await host.fetch()
      expectNoDifference(host.operations, [.began(1)])
    }
    expectNoDifference(result, .failed)
  }

  @Test("A host whose handler keeps requests is released")
  func noCycle() {
    var host: InMemoryBackgroundFetchHost? = InMemoryBackgroundFetchHost(clock: clock)
    weak let observed = host
    let kept = Kept(host!)
    host?.beginFetch()
    kept.requests[0].complete(.noData)
    host = nil
    #expect(observed == nil)
  }

  @Test("Fetches that several threads begin, complete and expire are each recorded once")
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

@Suite("Requests of a background fetch")
struct BackgroundFetchRequestTests {
  private enum Input: CaseIterable {
    case onExpiration, expire, complete
  }

  @Test(
    "In every sequence of 6 calls, only the latest handler is called, once, before the completion"
  )
  func everySequenceUpToSix() {
    func extend(_ inputs: [Input]) {
      expectNoDifference(run(inputs), expected(inputs))
      guard inputs.count < 6 else { return }
      for input in Input.allCases { extend(inputs + [input]) }
    }
    extend([])
  }

  private func run(_ inputs: [Input]) -> [String] {
    let trace = Trace()
    let request = BackgroundFetchRequest(deadline: .seconds(1)) { trace("completed \($0)") }
    for (index, input) in inputs.enumerated() {
      switch input {
      case .onExpiration: request.onExpiration { trace("told \(index)") }
      case .expire: request.expire()
      case .complete: request.complete(.noData)
      }
    }
    return trace.lines
  }

  private func expected(_ inputs: [Input]) -> [String] {
    inputs.indices.compactMap { index in
      let past = inputs[..<index]
      switch inputs[index] {
      case .complete: return "completed noData"
      case .onExpiration:
        return past.contains(.expire) && !past.contains(.complete) ? "told \(index)" : nil
      case .expire:
        guard !past.contains(.expire), !past.contains(.complete) else { return nil }
        return past.lastIndex(of: .onExpiration).map { "told \($0)" }
      }
    }
  }
}
