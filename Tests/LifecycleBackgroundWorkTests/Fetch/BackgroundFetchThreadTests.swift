import CustomDump
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// Many threads at once, which the thread sanitizer watches, too.
@Suite("Background fetch: threads")
struct BackgroundFetchThreadTests {
  @Test("With answers, deadlines and removals from four threads, a fetch is reported exactly once")
  func everythingAtOnce() async {
    for round in 0..<50 {
      let stage = BackgroundFetchStage(onAnyThread: true)
      let registrations = ["a", "b", "c", "d"].map { stage.register($0) }
      let received = Collector<Int>()
      let queue = stage.fetches.queue
      let number = queue.makeNumber()
      queue.begin(number, deadline: .seconds(30)) { received($0.number) }
      stage.clock.advance(by: .zero)
      await awaitOtherThreads(4) { thread in
        switch (thread, round % 4) {
        case (0, 0): stage.clock.advance(by: .seconds(60))
        case (0, 1): queue.expire(number)
        case (0, 2): stage.bus.send(.willTerminate)
        case (0, _): stage.releaseCoordinator()
        case (1, _): registrations[1].cancel()
        case (2, _):
          stage.answer("c", .failed(FetchTrouble()))
        default:
          stage.answer("a", .failed(FetchTrouble()))
          stage.answer("d", .failed(FetchTrouble()))
        }
      }
      // A nonisolated bus has delivered when all who could have are done.
      expectNoDifference(received.values, [1])
      withExtendedLifetime((stage, registrations)) {}
    }
  }

  @Test("A handler takes part in each fetch while others are added and removed on other threads")
  func handlersComeAndGo() async {
    let bus = NonisolatedLifecycleBus()
    let fetches = BackgroundFetchCoordinator(of: bus)
    let scope = LifecycleScope()
    fetches.addHandler(named: "stays", in: scope) { .newData }
    let reports = Collector<BackgroundFetchReport>()
    await awaitOtherThreads(4) { thread in
      for _ in 0..<50 {
        if thread.isMultiple(of: 2) {
          fetches.addHandler(named: "goes") { .noData }.cancel()
        } else {
          let queue = fetches.queue
          queue.begin(queue.makeNumber(), deadline: .seconds(600)) { reports($0) }
        }
      }
    }
    #expect(await eventually { reports.values.count == 100 })
    for report in reports.values {
      expectNoDifference(report.result, .newData)
      #expect(report.handlers.contains { $0.name == "stays" })
    }
    withExtendedLifetime((bus, fetches, scope)) {}
  }

  @Test(
    "A scheduler whose handler and interval are set on several threads still fetches afterwards"
  )
  func schedulerOnThreads() async {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didEnterBackground)
    let scheduler = BackgroundFetchScheduler(of: bus)
    let fetched = Counter()
    let handler: @Sendable (BackgroundFetchRequest) -> Void = { request in
      fetched.add()
      request.complete(.noData)
    }
    await awaitOtherThreads(4) { thread in
      for round in 0..<50 {
        switch thread {
        case 0: scheduler.setFetchHandler(round.isMultiple(of: 3) ? nil : handler)
        case 1: scheduler.setMinimumInterval(round.isMultiple(of: 3) ? nil : .seconds(2))
        default: clock.advance(by: .seconds(1))
        }
      }
    }
    // It is not stuck.
    scheduler.setFetchHandler(handler)
    scheduler.setMinimumInterval(.seconds(10))
    let before = fetched.count
    clock.advance(by: .seconds(60))
    #expect(fetched.count - before >= 5)
    scheduler.setFetchHandler(nil)
    let last = fetched.count
    clock.advance(by: .seconds(60))
    expectNoDifference(fetched.count, last)
    withExtendedLifetime((bus, scheduler)) {}
  }

  /// A host that lets a test act before it takes an interval in.
  private final class SlowHost: BackgroundFetchHost {
    let intervals = Collector<Duration?>()
    private let hook: Locked<(@Sendable () -> Void)?>

    init(_ hook: @escaping @Sendable () -> Void) { self.hook = Locked(hook) }

    func setMinimumInterval(_ interval: Duration?) {
      let hook = hook.withLock { $0.take() }
      hook?()
      intervals(interval)
    }

    func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {}
  }

  @Test("A host keeps the interval that was set last, even while it receives another one")
  func intervalSetMeanwhile() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let fetches = BackgroundFetchCoordinator(of: bus)
    let set = SlowHost { onOtherThread { fetches.setMinimumInterval(.seconds(2)) } }
    let first = fetches.connect(set)
    fetches.setMinimumInterval(.seconds(1))
    expectNoDifference(set.intervals.values.last, .seconds(2))
    let connected = SlowHost { onOtherThread { fetches.setMinimumInterval(nil) } }
    let second = fetches.connect(connected)
    expectNoDifference(connected.intervals.values.last, .some(nil))
    expectNoDifference(set.intervals.values.last, .some(nil))
    withExtendedLifetime((bus, fetches, first, second)) {}
  }

  // MARK: Requests

  @Test("A request is completed on the calling thread, without a lock")
  func completesWithoutALock() {
    let trace = Trace()
    let requests = Collector<Weak<BackgroundFetchRequest>>()
    let thread = currentThread()
    let request = BackgroundFetchRequest(deadline: .seconds(30)) { result in
      onOtherThread {
        requests.values[0].object?.onExpiration {}
        requests.values[0].object?.expire()
      }
      trace("\(result) on the thread that completes: \(currentThread() == thread)")
    }
    requests(Weak(request))
    request.complete(.newData)
    expectNoDifference(trace.lines, ["newData on the thread that completes: true"])
  }

  @Test(
    "The expiration closure of a request is called at most once when four threads use the request"
  )
  func race() async {
    for _ in 0..<100 {
      let completions = Counter()
      let calls = Counter()
      let request = BackgroundFetchRequest(deadline: .seconds(30)) { _ in completions.add() }
      await awaitOtherThreads(4) { thread in
        switch thread {
        case 0: request.complete(.newData)
        case 1: request.onExpiration { calls.add() }
        default: request.expire()
        }
      }
      expectNoDifference(completions.count, 1)
      let count = calls.count
      #expect(count <= 1)
      request.expire()
      request.onExpiration { calls.add() }
      expectNoDifference(calls.count, count, "not after the completion")
    }
  }
}
