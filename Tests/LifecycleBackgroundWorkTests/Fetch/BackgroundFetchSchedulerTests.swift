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
  /// A scheduler of a process whose fetches are in the transcript.
  private func scheduler(
    of process: ScriptedLifecycle,
    named name: String = "fetch",
    every interval: Duration?,
    atMost limit: LifecyclePhase = .background
  ) -> BackgroundFetchScheduler {
    let scheduler = BackgroundFetchScheduler(of: process.bus, atMost: limit)
    let fetches = process.recorder(of: String.self, as: name)
    scheduler.setFetchHandler { request in
      fetches.record("begins")
      request.complete(.noData)
    }
    if let interval { scheduler.setMinimumInterval(interval) }
    return scheduler
  }

  @Test(
    "A scheduler fetches at each interval in the background, without drift, and never by default"
  )
  func fetchesAtEachIntervalInBackgroundWithoutDrift() {
    let process = ScriptedLifecycle()
    process.perform(.launch)
    var never: BackgroundFetchScheduler? = scheduler(of: process, named: "never", every: nil)
    var ten: BackgroundFetchScheduler? = scheduler(of: process, every: .seconds(10))
    process.takeTranscript()
    process.perform(.advance(by: .seconds(35)))
    ten?.setMinimumInterval(.zero)
    process.perform(.advance(by: .seconds(100)))
    expectLifecycle(
      process.takeTranscript(),
      matches: """
        advance(by: 35 s)
          [10 s background] fetch: begins
          [20 s background] fetch: begins
          [30 s background] fetch: begins
        advance(by: 100 s)
          [90 s background] fetch: begins
        """
    )
    ten?.setMinimumInterval(nil)
    withExtendedLifetime((never, ten)) {}
    ten = nil
    never = nil
    expectNoDifference(process.clock.timerCount, 0)
  }

  @Test("A fetch that became due while the device slept begins at systemDidWake")
  func fetchDueWhileTheDeviceSlept() {
    let process = ScriptedLifecycle(makeBus: { LifecycleBus(clock: TimerlessClock($0)) })
    process.perform(.launch)
    let scheduler = scheduler(of: process, every: .seconds(10))
    process.takeTranscript()
    process.perform(.sleepDevice(for: .seconds(60)), .send(.systemDidWake))
    expectLifecycle(
      process.takeTranscript(),
      matches: """
        sleepDevice(for: 60 s)
        send(systemDidWake)
          [60 s background] systemDidWake
          [60 s background] fetch: begins
        """
    )
    withExtendedLifetime(scheduler) {}
  }

  @Test(
    "A fetch that is due while another one is under way begins after it; the deadline ends each"
  )
  func notOverlapped() {
    let process = ScriptedLifecycle()
    process.perform(.launch)
    let fetches = process.recorder(of: String.self, as: "fetch")
    let requests = Collector<BackgroundFetchRequest>()
    let scheduler = BackgroundFetchScheduler(of: process.bus)
    scheduler.setFetchHandler { request in
      requests(request)
      let number = requests.values.count
      fetches.record("\(number) begins")
      request.onExpiration { fetches.record("\(number) expires") }
    }
    scheduler.setMinimumInterval(.seconds(10))
    process.keep(scheduler)
    process.takeTranscript()
    process.perform(.advance(by: .seconds(25)))
    requests.values[0].complete(.newData)
    process.perform(.advance(by: .seconds(30)))
    // Who is late has no say in the fetch that is under way.
    requests.values[1].complete(.noData)
    process.perform(.advance(by: .seconds(30)))
    expectLifecycle(
      process.takeTranscript(),
      matches: """
        advance(by: 25 s)
          [10 s background] fetch: 1 begins
          [25 s background] fetch: 2 begins
        advance(by: 30 s)
          [55 s background] fetch: 2 expires
          [55 s background] fetch: 3 begins
        advance(by: 30 s)
          [85 s background] fetch: 3 expires
          [85 s background] fetch: 4 begins
        """
    )
    for request in requests.values { request.complete(.noData) }
  }
}

/// What a scheduler keeps, and when it ends.
@Suite("Background fetch: the scheduler's limits")
struct BackgroundFetchLimitTests {
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
    atMost limit: LifecyclePhase = .background
  ) -> BackgroundFetchScheduler {
    let scheduler = BackgroundFetchScheduler(of: bus, atMost: limit)
    scheduler.setFetchHandler { [clock, began] request in
      began(clock.now.timeAwake)
      request.complete(.noData)
    }
    scheduler.setMinimumInterval(interval)
    return scheduler
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
    withExtendedLifetime(bus) { expectNoDifference(clock.timerCount, 1) }
    bus = nil
    #expect(!weak.isAlive)
    expectNoDifference(clock.timerCount, 0)
    withExtendedLifetime(scheduler) {}
  }

  @Test(
    "A scheduler fetches in the unknown phase only if its limit is active",
    arguments: [LifecyclePhase.inactive, .active]
  )
  func unknownPhase(_ limit: LifecyclePhase) {
    let bus = bus(nil)
    let scheduler = scheduler(of: bus, every: .seconds(10), atMost: limit)
    clock.advance(by: .seconds(25))
    expectNoDifference(began.values.count, limit == .active ? 2 : 0)
    withExtendedLifetime((bus, scheduler)) {}
  }

  @Test(
    "A background that the process only passes through begins no fetch that is due",
    arguments: [LifecycleEvent.Kind.didBecomeActive, .willTerminate]
  )
  func backgroundOnTheWay(to target: LifecycleEvent.Kind) {
    let bus = bus(target == .willTerminate ? .didBecomeActive : nil)
    let scheduler = scheduler(of: bus, every: .seconds(10))
    clock.advance(by: .seconds(60))
    bus.send(target)
    expectNoDifference(began.values, [])
    bus.send(.didEnterBackground)
    expectNoDifference(began.values, target == .willTerminate ? [] : [clock.now.timeAwake])
    withExtendedLifetime((bus, scheduler)) {}
  }

  @Test("A limit further back than the background is reported at the caller's line")
  func limitTooFarBack() {
    let bus = bus()
    expectReportedIssue("at most in the phase terminated", line: #line + 1) {
      _ = BackgroundFetchScheduler(of: bus, atMost: .terminated)
    }
  }
}
