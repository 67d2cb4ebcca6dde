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

  /// A scheduler of a process whose fetches are in the transcript.
  private func scheduler(
    of process: ScriptedLifecycle,
    named name: String = "fetch",
    every interval: Duration?,
    atMost limit: LifecyclePhase = .background,
    store: BackgroundFetchStore = .inMemory
  ) -> BackgroundFetchScheduler {
    let scheduler = BackgroundFetchScheduler(of: process.bus, atMost: limit, store: store)
    let fetches = process.recorder(of: String.self, as: name)
    scheduler.setFetchHandler { request in
      fetches.record("begins")
      request.complete(.noData)
    }
    if let interval { scheduler.setMinimumInterval(interval) }
    return scheduler
  }

  @Test("Never is the default; in the background a fetch comes at each interval, without drift")
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

  @Test("In the foreground nothing is fetched; one catch-up fetch follows, unless always is wanted")
  func nothingIsFetchedInForegroundButOneCatchUp() {
    let process = ScriptedLifecycle()
    process.perform(.launch, .becomeActive)
    let schedulers = [
      scheduler(of: process, named: "background", every: .seconds(10)),
      scheduler(of: process, named: "always", every: .seconds(10), atMost: .active),
    ]
    process.takeTranscript()
    process.perform(.advance(by: .seconds(35)), .enterBackground, .advance(by: .seconds(15)))
    expectLifecycle(
      process.takeTranscript(),
      matches: """
        advance(by: 35 s)
          [10 s active] always: begins
          [20 s active] always: begins
          [30 s active] always: begins
        enterBackground
          [35 s inactive] willResignActive
          [35 s background] didEnterBackground
          [35 s background] background: begins
        advance(by: 15 s)
          [40 s background] always: begins
          [45 s background] background: begins
          [50 s background] always: begins
        """
    )
    withExtendedLifetime(schedulers) {}
  }

  @Test("After a stop there is one catch-up fetch, from which the next is counted")
  func oneCatchUpAfterAStop() {
    let process = ScriptedLifecycle()
    process.perform(.launch)
    let scheduler = scheduler(of: process, every: .seconds(10))
    process.takeTranscript()
    process.perform(.stopProcess(for: .seconds(47)), .advance(by: .seconds(13)))
    expectLifecycle(
      process.takeTranscript(),
      matches: """
        stopProcess(for: 47 s)
          [47 s background] fetch: begins
        advance(by: 13 s)
          [57 s background] fetch: begins
        """
    )
    withExtendedLifetime(scheduler) {}
  }

  @Test("A fetch that became due while the device slept does not wait for a timer that slept, too")
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

  @Test(
    "The last fetch counts across launches, also if the wall clock was set; a restart leaves that"
  )
  func lastFetchCountsAcrossLaunches() {
    let memory = Memory()
    let process = ScriptedLifecycle { process in
      process.keep(scheduler(of: process, every: .seconds(100), store: memory.store))
    }
    process.perform(
      .launch,
      .advance(by: .seconds(110)),
      .kill,
      .setWallClock(by: .seconds(-7200)),
      .advance(by: .seconds(50)),
      .relaunch,
      .advance(by: .seconds(60)),
      .restartDevice(for: .seconds(50)),
      .relaunch,
      .advance(by: .seconds(40)),
      // Set back, it can't make the wait longer than the interval.
      .restartDevice(for: .seconds(1)),
      .setWallClock(by: .seconds(-7200)),
      .relaunch,
      .advance(by: .seconds(100))
    )
    expectLifecycle(
      process,
      matches: """
        launch
          [0 s background] didFinishLaunching
        advance(by: 110 s)
          [100 s background] fetch: begins
        kill
        setWallClock(by: -7200 s)
        advance(by: 50 s)
        relaunch
          [160 s background] didFinishLaunching
        advance(by: 60 s)
          [200 s background] fetch: begins
        restartDevice(for: 50 s)
        relaunch
          [270 s background] didFinishLaunching
        advance(by: 40 s)
          [300 s background] fetch: begins
        restartDevice(for: 1 s)
        setWallClock(by: -7200 s)
        relaunch
          [311 s background] didFinishLaunching
        advance(by: 100 s)
          [411 s background] fetch: begins
        """
    )
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
    let process = ScriptedLifecycle()
    process.perform(.launch)
    let (bus, clock) = (process.bus, process.clock)
    let scheduler = BackgroundFetchScheduler(of: bus, deadline: .seconds(5))
    let fetches = BackgroundFetchCoordinator(of: bus, executor: clock)
    let scope = LifecycleScope()
    fetches.addHandler(named: "hung", in: scope) {
      try await Task.sleep(for: .seconds(60), clock: clock)
      return .newData
    }
    process.record(fetches.reports.map(\.line), as: "report")
    let connection = fetches.connect(scheduler)
    fetches.setMinimumInterval(.after(.seconds(10)))
    process.takeTranscript()
    process.perform(.advance(by: .seconds(29)), .terminate, .advance(by: .seconds(60)))
    expectLifecycle(
      process.takeTranscript(),
      matches: """
        advance(by: 29 s)
          [15 s background] report: 1 failed 5 s: hung failed (no answer by the deadline) 5 s
          [15 s background] backgroundFetchDidComplete (manual) [fetch: "1", result: "failed"]
          [25 s background] report: 2 failed 5 s: hung failed (no answer by the deadline) 5 s
          [25 s background] backgroundFetchDidComplete (manual) [fetch: "2", result: "failed"]
        terminate
          [29 s terminated] willTerminate
          [29 s terminated] report: completed
        advance(by: 60 s)
        """
    )
    withExtendedLifetime((scheduler, connection, scope)) {}
  }
}
