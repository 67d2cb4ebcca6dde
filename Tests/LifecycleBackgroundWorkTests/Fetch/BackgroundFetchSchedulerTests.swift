import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Background fetch: the scheduler")
@MainActor
struct BackgroundFetchSchedulerTests {
  /// What outlives a process.
  final class Memory: Sendable {
    private let record = Locked<BackgroundFetchRecord?>(nil)

    var store: BackgroundFetchStore {
      BackgroundFetchStore(
        load: { self.record.withLock { $0 } },
        save: { record in self.record.withLock { $0 = record } }
      )
    }
  }

  /// A process with a scheduler whose handler notes the seconds since the clock was made.
  final class Process {
    let bus: LifecycleBus
    let begun = Collector<Double>()
    let requests = Collector<BackgroundFetchRequest>()
    private(set) var scheduler: BackgroundFetchScheduler?

    init(
      _ clock: ManualClock,
      interval: Duration?,
      atMost limit: LifecyclePhase = .background,
      store: BackgroundFetchStore = .inMemory,
      completes: Bool = true
    ) {
      bus = LifecycleBus(clock: clock)
      bus.send(.didBecomeActive)
      let scheduler = BackgroundFetchScheduler(of: bus, atMost: limit, store: store)
      scheduler.setFetchHandler { [begun, requests] request in
        begun(clock.elapsed / .seconds(1))
        if completes { request.complete(.noData) } else { requests(request) }
      }
      if let interval { scheduler.setMinimumInterval(interval) }
      self.scheduler = scheduler
    }

    func release() { scheduler = nil }
  }

  @Test("Never is the default; in the background a fetch comes at each interval, without drift")
  func fetchesAtEachIntervalInBackgroundWithoutDrift() {
    let clock = ManualClock()
    let never = Process(clock, interval: nil)
    let process = Process(clock, interval: .seconds(10))
    for bus in [never.bus, process.bus] { bus.send(.didEnterBackground) }
    clock.advance(by: .seconds(35))
    expectNoDifference(process.begun.values, [10, 20, 30])
    expectNoDifference(never.begun.values, [])
    process.scheduler?.setMinimumInterval(.zero)
    clock.advance(by: .seconds(100))
    expectNoDifference(process.begun.values, [10, 20, 30, 90])
    process.scheduler?.setMinimumInterval(nil)
    process.release()
    never.release()
    #expect(clock.timerCount == 0)
  }

  @Test("In the foreground nothing is fetched; one catch-up fetch follows, unless always is wanted")
  func nothingIsFetchedInForegroundButOneCatchUp() {
    let clock = ManualClock()
    let process = Process(clock, interval: .seconds(10))
    let always = Process(clock, interval: .seconds(10), atMost: .active)
    clock.advance(by: .seconds(35))
    expectNoDifference(process.begun.values, [])
    expectNoDifference(always.begun.values, [10, 20, 30])
    process.bus.send(.didEnterBackground)
    clock.advance(by: .seconds(15))
    expectNoDifference(process.begun.values, [35, 45])
  }

  @Test("After a stop there is one catch-up fetch, from which the next is counted")
  func oneCatchUpAfterAStop() {
    let clock = ManualClock()
    let process = Process(clock, interval: .seconds(10))
    process.bus.send(.didEnterBackground)
    clock.stopProcess(for: .seconds(47))
    clock.advance(by: .seconds(13))
    expectNoDifference(process.begun.values, [47, 57])
  }

  @Test("A fetch that became due while the device slept does not wait for a timer that slept, too")
  func fetchDueWhileTheDeviceSlept() {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: TimerlessClock(clock))
    bus.send(.didEnterBackground)
    let scheduler = BackgroundFetchScheduler(of: bus)
    let begun = Collector<Double>()
    scheduler.setFetchHandler { request in
      begun(clock.elapsed / .seconds(1))
      request.complete(.noData)
    }
    scheduler.setMinimumInterval(.seconds(10))
    clock.sleepDevice(for: .seconds(60))
    expectNoDifference(begun.values, [])
    bus.send(.systemDidWake)
    expectNoDifference(begun.values, [60])
  }

  @Test(
    "A fetch that is due while another one is under way begins after it; the deadline ends each"
  )
  func notOverlapped() {
    let clock = ManualClock()
    let process = Process(clock, interval: .seconds(10), completes: false)
    process.bus.send(.didEnterBackground)
    clock.advance(by: .seconds(25))
    expectNoDifference(process.begun.values, [10])
    process.requests.values[0].complete(.newData)
    expectNoDifference(process.begun.values, [10, 25])
    let isExpired = Locked(false)
    process.requests.values[1].onExpiration { isExpired.withLock { $0 = true } }
    clock.advance(by: .seconds(30))
    #expect(isExpired.withLock { $0 })
    expectNoDifference(process.begun.values, [10, 25, 55])
    // Who is late has no say in the fetch that is under way.
    let isThirdExpired = Locked(false)
    process.requests.values[2].onExpiration { isThirdExpired.withLock { $0 = true } }
    process.requests.values[1].complete(.noData)
    clock.advance(by: .seconds(29))
    expectNoDifference(process.begun.values, [10, 25, 55])
    clock.advance(by: .seconds(1))
    #expect(isThirdExpired.withLock { $0 })
    expectNoDifference(process.begun.values, [10, 25, 55, 85])
    for request in process.requests.values { request.complete(.noData) }
  }

  @Test(
    "The last fetch counts across launches, also if the wall clock was set; a restart leaves that"
  )
  func lastFetchCountsAcrossLaunches() {
    let clock = ManualClock()
    let memory = Memory()
    func launch() -> Process {
      let process = Process(clock, interval: .seconds(100), store: memory.store)
      process.bus.send(.didEnterBackground)
      return process
    }
    let first = launch()
    clock.advance(by: .seconds(110))
    expectNoDifference(first.begun.values, [100])
    first.release()
    clock.setWallClock(by: .seconds(-7200))
    clock.advance(by: .seconds(50))
    let second = launch()
    clock.advance(by: .seconds(60))
    expectNoDifference(second.begun.values, [200])
    second.release()
    clock.restartDevice(for: .seconds(50))
    let third = launch()
    clock.advance(by: .seconds(40))
    expectNoDifference(third.begun.values, [300])
    third.release()
    // Set back, it can't make the wait longer than the interval.
    clock.restartDevice(for: .seconds(1))
    clock.setWallClock(by: .seconds(-7200))
    let fourth = launch()
    clock.advance(by: .seconds(100))
    expectNoDifference(fourth.begun.count, 1)
  }

  @Test(
    "On a machine that can't tell its boots apart, the wall clock says how long ago a fetch was"
  )
  func unknownBoots() {
    let began = LifecycleInstant(
      continuous: .boot + .seconds(100),
      timeAwake: .seconds(100),
      timeSince1970: .seconds(5000)
    )
    let now = LifecycleInstant(
      continuous: .boot + .seconds(150),
      timeAwake: .seconds(150),
      timeSince1970: .seconds(6000)
    )
    func age(_ boot: BootID?, _ current: BootID?) -> Duration {
      BackgroundFetchRecord(began: began, bootID: boot).age(at: now, bootID: current)
    }
    let (first, second) = (BootID(rawValue: "1"), BootID(rawValue: "2"))
    expectNoDifference(age(nil, nil), .seconds(1000))
    expectNoDifference(age(first, second), .seconds(1000))
    expectNoDifference(age(first, first), .seconds(50))
  }

  @Test("A coordinator is completed by the scheduler's deadline; nothing comes after the end")
  func coordinatorIsCompletedByDeadline() {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    bus.send(.didEnterBackground)
    let scheduler = BackgroundFetchScheduler(of: bus, deadline: .seconds(5))
    let fetches = BackgroundFetchCoordinator(of: bus, executor: clock)
    let scope = LifecycleScope()
    fetches.addHandler(named: "hung", in: scope) {
      try await Task.sleep(for: .seconds(60), clock: clock)
      return .newData
    }
    let lines = Collector<String>()
    fetches.reports.sink { lines($0.line) }.store(in: scope)
    let connection = fetches.connect(scheduler)
    fetches.setMinimumInterval(.after(.seconds(10)))
    clock.advance(by: .seconds(29))
    let failure = "hung failed (no answer by the deadline) 5 s"
    expectNoDifference(lines.values, ["1 failed 5 s: \(failure)", "2 failed 5 s: \(failure)"])
    bus.send(.willTerminate)
    clock.advance(by: .seconds(60))
    #expect(lines.values.count == 2)
    withExtendedLifetime((scheduler, connection)) {}
  }
}

extension Collector {
  fileprivate var count: Int { values.count }
}
