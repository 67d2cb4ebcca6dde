import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("In-memory host for background fetches")
struct InMemoryBackgroundFetchHostTests {
  private let clock = ManualClock()

  /// Keeps the requests of a host.
  private final class Kept: Sendable {
    private let state = Locked<[BackgroundFetchRequest]>([])

    var requests: [BackgroundFetchRequest] { state.withLock { $0 } }

    init(_ host: InMemoryBackgroundFetchHost) {
      host.setFetchHandler { [weak self] request in self?.state.withLock { $0.append(request) } }
    }

    func drop() {
      let dropped = state.withLock { requests in
        defer { requests = [] }
        return requests
      }
      withExtendedLifetime(dropped) {}
    }
  }

  @Test("Intervals and results are recorded", arguments: BackgroundFetchResult.allCases)
  func intervalsAndResultsAreRecorded(_ result: BackgroundFetchResult) async {
    let host = InMemoryBackgroundFetchHost()
    expectNoDifference(host.minimumInterval, nil)
    host.setMinimumInterval(.seconds(900))
    host.setFetchHandler { request in
      expectNoDifference(request.deadline, .seconds(20))
      request.complete(result)
    }
    let result1 = await host.fetch(deadline: .seconds(20))
    expectNoDifference(result1, result)
    expectNoDifference(host.minimumInterval, .seconds(900))
    host.setMinimumInterval(nil)
    expectNoDifference(host.minimumInterval, nil)
    expectNoDifference(
      host.operations,
      [
        .setMinimumInterval(.seconds(900)), .began(1), .completed(1, result),
        .setMinimumInterval(nil),
      ]
    )
    expectNoDifference(host.results, [result])
  }

  @Test("Operations are readable in a dump")
  func operationsAreReadableInADump() {
    let host = InMemoryBackgroundFetchHost()
    host.setMinimumInterval(.seconds(900))
    host.setMinimumInterval(nil)
    host.beginFetch()
    let kept = Kept(host)
    host.beginFetch()
    host.expire()
    kept.requests[0].complete(.failed)
    var text = ""
    customDump(host.operations, to: &text)
    expectNoDifference(
      text,
      """
      [
        [0]: .setMinimumInterval(
          900.0 seconds
        ),
        [1]: .setMinimumInterval(nil),
        [2]: .began(1),
        [3]: .completed(
          1,
          .noData
        ),
        [4]: .began(2),
        [5]: .expired(2),
        [6]: .completed(
          2,
          .failed
        )
      ]
      """
    )
  }

  @Test("Without a handler there is nothing new")
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

  @Test("A deadline may be later than any clock can count")
  func extremeDeadline() async {
    let host = InMemoryBackgroundFetchHost()
    host.setFetchHandler { $0.complete(.newData) }
    let result = await host.fetch(deadline: Duration(attoseconds: .max))
    expectNoDifference(result, .newData)
  }

  @Test("Another handler takes the place of the first, which is released, and keeps its fetches")
  func otherHandler() {
    let host = InMemoryBackgroundFetchHost()
    let first = Kept(host)
    host.beginFetch()
    host.setFetchHandler { $0.complete(.noData) }
    host.beginFetch()
    first.requests[0].complete(.newData)
    expectNoDifference(
      host.operations,
      [.began(1), .began(2), .completed(2, .noData), .completed(1, .newData)]
    )
  }

  @Test("A result that comes later, from another thread, is waited for")
  func laterResultIsWaitedFor() async {
    let host = InMemoryBackgroundFetchHost()
    host.setFetchHandler { request in
      Thread { request.complete(.newData) }.start()
    }
    let result4 = await host.fetch()
    expectNoDifference(result4, .newData)
  }

  @Test("Overlapping fetches are apart")
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

  @Test("The system can want the process to stop early: each running request is told, once")
  func systemCanWantProcessToStopEarly() {
    let host = InMemoryBackgroundFetchHost()
    let kept = Kept(host)
    for _ in 1...3 { host.beginFetch() }
    for request in kept.requests {
      request.onExpiration { [weak request] in request?.complete(.failed) }
    }
    kept.requests[1].complete(.noData)
    host.expire()
    host.expire()
    expectNoDifference(
      host.operations,
      [
        .began(1), .began(2), .began(3), .completed(2, .noData),
        .expired(1), .completed(1, .failed), .expired(3), .completed(3, .failed),
      ]
    )
  }

  @Test("What a handler schedules for the deadline comes before the host looks")
  func deadlineOfTheHandler() {
    let host = InMemoryBackgroundFetchHost(clock: clock)
    let box = TimerBox()
    host.setFetchHandler { [clock] request in
      box.keep(
        clock.schedule(at: clock.continuous + request.deadline) { request.complete(.failed) }
      )
    }
    host.beginFetch(deadline: .seconds(7))
    clock.advance(by: .seconds(7))
    expectNoDifference(host.operations, [.began(1), .completed(1, .failed)])
  }

  private final class TimerBox: Sendable {
    private let timer = Locked<LifecycleCancellable?>(nil)

    func keep(_ timer: LifecycleCancellable) { self.timer.withLock { $0 = timer } }
  }

  // MARK: Mistakes

  @Test("A second completion is reported at the fetch, and ignored")
  func completedTwice() {
    let failures = failuresOfDouble {
      let host = InMemoryBackgroundFetchHost()
      let kept = Kept(host)
      host.beginFetch()
      kept.requests[0].complete(.newData)
      kept.requests[0].complete(.failed)
      expectNoDifference(host.results, [.newData])
    }
    expectNoDifference(
      failures,
      [
        """
        +3: Background fetch 1 was completed twice: first with newData, then with failed. UIKit \
        raises an exception in this case. Complete each request exactly once.
        """
      ]
    )
  }

  @Test("A second completion on another thread is reported when the test looks at the host again")
  func completedTwiceElsewhere() async {
    let host = InMemoryBackgroundFetchHost()
    let kept = Kept(host)
    host.beginFetch()
    let request = kept.requests[0]
    request.complete(.noData)
    onOtherThread { request.complete(.noData) }
    let failures = failuresOfDouble { _ = host.operations }
    expectNoDifference(
      failures,
      [
        """
        +-4: Background fetch 1 was completed twice: first with noData, then with noData. UIKit \
        raises an exception in this case. Complete each request exactly once.
        """
      ]
    )
  }

  @Test(
    "A fetch that is not complete at its deadline is told so, and reported; the rest is ignored"
  )
  func missedDeadline() {
    let lines = Lines()
    let failures = failuresOfDouble {
      let host = InMemoryBackgroundFetchHost(clock: clock)
      let kept = Kept(host)
      host.beginFetch(deadline: .seconds(20))
      kept.requests[0].onExpiration { lines.add("expired") }
      clock.advance(by: .seconds(19))
      expectNoDifference(lines.all, [])
      clock.advance(by: .seconds(1))
      expectNoDifference(lines.all, ["expired"])
      kept.requests[0].complete(.newData)
      expectNoDifference(host.operations, [.began(1), .expired(1)])
    }
    expectNoDifference(
      failures,
      [
        """
        +3: Background fetch 1 was not completed within 20.0 seconds. In this case, the system \
        suspends the process and launches it less often. Complete the request before the deadline, \
        with failed if necessary.
        """
      ]
    )
  }

  @Test("A fetch that has expired early, and is not complete at its deadline, expires once")
  func expiresOnce() {
    let failures = failuresOfDouble {
      let host = InMemoryBackgroundFetchHost(clock: clock)
      let kept = Kept(host)
      host.beginFetch(deadline: .seconds(20))
      host.expire()
      clock.advance(by: .seconds(20))
      kept.drop()
      expectNoDifference(host.operations, [.began(1), .expired(1)])
    }
    expectNoDifference(
      failures.map { $0.prefix(50) },
      ["+3: Background fetch 1 was not completed within 20"]
    )
  }

  @Test("A fetch that is not complete at its deadline has failed")
  func missedDeadlineIsFailure() async {
    var result: BackgroundFetchResult?
    let failures = await failuresOfDouble {
      let host = InMemoryBackgroundFetchHost(clock: clock)
      let kept = Kept(host)
      let fetch = Task(executorPreference: clock) { await host.fetch(deadline: .seconds(20)) }
      clock.advance(by: .seconds(20))
      result = await fetch.value
      kept.requests[0].complete(.newData)
    }
    expectNoDifference(result, .failed)
    expectNoDifference(failures.count, 1)
  }

  private final class Lines: Sendable {
    private let state = Locked<[String]>([])

    var all: [String] { state.withLock { $0 } }

    func add(_ line: String) { state.withLock { $0.append(line) } }
  }

  @Test("A request that is dropped is reported, and the fetch has failed")
  func requestThatIsDroppedIsReported() async {
    var result: BackgroundFetchResult?
    let failures = await failuresOfDouble {
      let host = InMemoryBackgroundFetchHost()
      host.setFetchHandler { _ in }
      result = await host.fetch()
      expectNoDifference(host.operations, [.began(1)])
    }
    expectNoDifference(result, .failed)
    expectNoDifference(
      failures,
      [
        """
        +3: Background fetch 1 can no longer be completed because its request was released. \
        Complete each request exactly once, on every path.
        """
      ]
    )
  }

  @Test("One that is dropped later, too, also when the host is gone")
  func droppedLater() {
    let failures = failuresOfDouble {
      var host: InMemoryBackgroundFetchHost? = InMemoryBackgroundFetchHost(clock: clock)
      let kept = Kept(host!)
      host?.beginFetch()
      host = nil
      kept.drop()
    }
    expectNoDifference(
      failures,
      [
        """
        +3: Background fetch 1 can no longer be completed because its request was released. \
        Complete each request exactly once, on every path.
        """
      ]
    )
    expectNoDifference(clock.timerCount, 0)
  }

  @Test("Nothing keeps a host alive that holds what holds its requests")
  func noCycle() {
    var host: InMemoryBackgroundFetchHost? = InMemoryBackgroundFetchHost(clock: clock)
    weak let observed = host
    let kept = Kept(host!)
    host?.beginFetch()
    kept.requests[0].complete(.noData)
    host = nil
    #expect(observed == nil)
  }
}

@Suite("Requests of a background fetch")
struct BackgroundFetchRequestTests {
  private enum Input: CaseIterable {
    case onExpiration, expire, complete
  }

  private final class Lines: Sendable {
    private let state = Locked<[String]>([])

    var all: [String] { state.withLock { $0 } }

    func add(_ line: String) { state.withLock { $0.append(line) } }
  }

  @Test(
    "Every sequence up to a length of 6: the latest handler is told once, before the completion"
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
    let lines = Lines()
    let request = BackgroundFetchRequest(deadline: .seconds(1)) { lines.add("completed \($0)") }
    for (index, input) in inputs.enumerated() {
      switch input {
      case .onExpiration: request.onExpiration { lines.add("told \(index)") }
      case .expire: request.expire()
      case .complete: request.complete(.noData)
      }
    }
    return lines.all
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

  @Test("What the handler holds is released by the completion")
  func completionReleasesTheHandler() {
    final class Captured: Sendable {}
    var captured: Captured? = Captured()
    let weak = Weak(captured!)
    let lines = Lines()
    let request = BackgroundFetchRequest(deadline: .seconds(1)) { _ in }
    request.onExpiration { [captured] in lines.add("\(captured!)") }
    captured = nil
    #expect(weak.object != nil)
    request.complete(.noData)
    #expect(weak.object == nil)
    request.onExpiration { lines.add("too late") }
    request.expire()
    expectNoDifference(lines.all, [])
  }
}
