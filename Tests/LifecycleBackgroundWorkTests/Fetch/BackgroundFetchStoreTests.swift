import CustomDump
import LifecycleBackgroundWork
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What a scheduler keeps, what it asks of its store, and when it ends.
@Suite("Background fetch: the scheduler's limits and store")
struct BackgroundFetchStoreTests {
  private let clock = ManualClock()
  private let began = Collector<Duration>()

  private func bus(_ kind: LifecycleEvent.Kind? = .didEnterBackground) -> NonisolatedLifecycleBus {
    let bus = NonisolatedLifecycleBus(clock: clock)
    if let kind { bus.send(kind) }
    return bus
  }

  /// A scheduler whose fetches are noted by their time, and complete at once.
  private func scheduler(
    of bus: NonisolatedLifecycleBus,
    every interval: Duration,
    atMost limit: LifecyclePhase = .background,
    store: BackgroundFetchStore = .inMemory
  ) -> BackgroundFetchScheduler {
    let scheduler = BackgroundFetchScheduler(of: bus, atMost: limit, store: store)
    scheduler.setFetchHandler { [clock, began] request in
      began(clock.now.timeAwake)
      request.complete(.noData)
    }
    scheduler.setMinimumInterval(interval)
    return scheduler
  }

  /// The seconds at which fetches began, counted from a moment.
  private func seconds(since start: Duration) -> [Int64] {
    began.values.map { ($0 - start).components.seconds }
  }

  enum End: CaseIterable { case release, bus }

  @Test(
    "The end of the scheduler, or of the bus, leaves a fetch to its deadline, and no other begins",
    arguments: End.allCases
  )
  func endDuringAFetch(_ end: End) {
    let trace = Trace()
    let requests = Collector<BackgroundFetchRequest>()
    let bus = bus()
    var scheduler: BackgroundFetchScheduler? = BackgroundFetchScheduler(of: bus)
    scheduler?.setFetchHandler { request in
      requests(request)
      trace("begins")
      request.onExpiration { trace("expires") }
    }
    scheduler?.setMinimumInterval(.seconds(10))
    clock.advance(by: .seconds(12))
    expectNoDifference(trace.take(), ["begins"])
    switch end {
    case .release: scheduler = nil
    case .bus: bus.send(.willTerminate)
    }
    clock.advance(by: .seconds(27))
    expectNoDifference(trace.take(), [])
    clock.advance(by: .seconds(1))
    expectNoDifference(trace.take(), ["expires"])
    clock.advance(by: .seconds(60))
    expectNoDifference(trace.take(), [])
    expectNoDifference(clock.timerCount, 0)
    requests.values[0].complete(.failed)
    withExtendedLifetime((bus, scheduler)) {}
  }

  @Test("A scheduler does not keep its bus alive")
  func busIsReleased() {
    var bus: NonisolatedLifecycleBus? = bus()
    let weak = Weak(bus!)
    let scheduler = scheduler(of: bus!, every: .seconds(10))
    expectNoDifference(clock.timerCount, 1)
    bus = nil
    #expect(!weak.isAlive)
    expectNoDifference(clock.timerCount, 0)
    withExtendedLifetime(scheduler) {}
  }

  @Test(
    "An unknown phase counts as active",
    arguments: [LifecyclePhase.background, .inactive, .active]
  )
  func unknownPhase(_ limit: LifecyclePhase) {
    let bus = bus(nil)
    let scheduler = scheduler(of: bus, every: .seconds(10), atMost: limit)
    clock.advance(by: .seconds(25))
    expectNoDifference(began.values.count, limit == .active ? 2 : 0)
    withExtendedLifetime((bus, scheduler)) {}
  }

  @Test("A limit further back than the background is reported at the caller's line")
  func limitTooFarBack() {
    let bus = bus()
    expectReportedIssue("at most in the phase terminated", line: #line + 1) {
      _ = BackgroundFetchScheduler(of: bus, atMost: .terminated)
    }
  }

  @Test("If a record is not saved, the next launch counts from the one before it")
  func recordThatIsNotSaved() {
    let record = Locked<BackgroundFetchRecord?>(nil)
    let isFull = Locked(false)
    let store = BackgroundFetchStore(
      load: { record.withLock { $0 } },
      save: { new in
        if !isFull.withLock({ $0 }) { record.withLock { $0 = new } }
      }
    )
    let start = clock.now.timeAwake
    do {
      let bus = bus()
      let scheduler = scheduler(of: bus, every: .seconds(100), store: store)
      clock.advance(by: .seconds(100))
      isFull.withLock { $0 = true }
      clock.advance(by: .seconds(140))
      withExtendedLifetime((bus, scheduler)) {}
    }
    let bus = bus()
    let scheduler = scheduler(of: bus, every: .seconds(150), store: store)
    clock.advance(by: .seconds(100))
    expectNoDifference(seconds(since: start), [100, 200, 250])
    withExtendedLifetime((bus, scheduler)) {}
  }

  @Test("By default, each launch begins anew")
  func defaultStore() {
    let start = clock.now.timeAwake
    do {
      let bus = bus()
      let scheduler = scheduler(of: bus, every: .seconds(100))
      clock.advance(by: .seconds(140))
      withExtendedLifetime((bus, scheduler)) {}
    }
    let bus = bus()
    let scheduler = scheduler(of: bus, every: .seconds(100))
    clock.advance(by: .seconds(100))
    expectNoDifference(seconds(since: start), [100, 240])
    withExtendedLifetime((bus, scheduler)) {}
  }

  @Test("The record is loaded once, on the calling thread, before the initializer returns")
  func loadedByTheInitializer() {
    let loads = Collector<Bool>()
    let thread = currentThread()
    let store = BackgroundFetchStore(
      load: {
        loads(currentThread() == thread)
        return nil
      },
      save: { _ in }
    )
    let bus = bus()
    let scheduler = BackgroundFetchScheduler(of: bus, store: store)
    expectNoDifference(loads.values, [true])
    scheduler.setFetchHandler { $0.complete(.noData) }
    scheduler.setMinimumInterval(.seconds(10))
    clock.advance(by: .seconds(35))
    expectNoDifference(loads.values, [true])
  }

  @Test("A record is saved for each fetch, without a lock: the store may wait for other threads")
  func savedWithoutALock() {
    let schedulers = Collector<Weak<BackgroundFetchScheduler>>()
    let saves = Counter()
    let store = BackgroundFetchStore(
      load: { nil },
      save: { _ in
        saves.add()
        onOtherThread { schedulers.values.first?.object?.setMinimumInterval(.seconds(10)) }
      }
    )
    let bus = bus()
    let scheduler = scheduler(of: bus, every: .seconds(10), store: store)
    schedulers(Weak(scheduler))
    clock.advance(by: .seconds(35))
    expectNoDifference(began.values.count, 3)
    expectNoDifference(saves.count, 3)
  }
}
