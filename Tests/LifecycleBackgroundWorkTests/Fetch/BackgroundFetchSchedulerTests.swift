import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleBackgroundWork

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
    for phase in LifecyclePhase.allCases where phase >= .background {
      _ = BackgroundFetchScheduler(of: bus, atMost: phase)
    }
    for phase in [LifecyclePhase.terminated, .unknown] {
      expectReportedIssue("at most in the phase \(phase)", line: #line + 1) {
        _ = BackgroundFetchScheduler(of: bus, atMost: phase)
      }
    }
  }
}

/// Every sequence of inputs against an oracle that looks at the whole sequence at once.
@Suite("Background fetch: the scheduler's machine")
struct BackgroundFetchScheduleMachineTests {
  enum Input: Hashable, CaseIterable, Sendable {
    case never, every10, every20
    /// A little late for what is due in 10 s, but on time.
    case wait10, wait17
    case turnPhase, turnHandler
    case finish, end

    var wait: Duration {
      switch self {
      case .wait10: .milliseconds(10_060)
      case .wait17: .seconds(17)
      default: .zero
      }
    }

    /// Nil if this sets none.
    var interval: Duration?? {
      switch self {
      case .never: .some(nil)
      case .every10: .seconds(10)
      case .every20: .seconds(20)
      default: nil
      }
    }
  }

  /// One input, and what followed from it.
  private struct Step {
    var input: Input
    /// The time after the input.
    var now: ContinuousInstant
    /// From when the next fetch is counted, if one began.
    var began: ContinuousInstant?
  }

  /// When the next fetch is due, as of the last of the steps; nil for never.
  private func due(_ steps: [Step], _ beginsOn: Bool) -> ContinuousInstant? {
    let inputs = steps.map(\.input)
    func isOn(_ turn: Input) -> Bool {
      beginsOn == (inputs.filter { $0 == turn }.count % 2 == 0)
    }
    let lastBegin = steps.lastIndex { $0.began != nil }
    let isRunning = lastBegin.map { !inputs[($0 + 1)...].contains(.finish) } ?? false
    guard
      isOn(.turnPhase), isOn(.turnHandler), !isRunning, !inputs.contains(.end),
      let interval = inputs.compactMap(\.interval).last ?? nil
    else { return nil }
    // Without a fetch, from the first interval after the last never.
    let sinceNever = steps[(inputs.lastIndex(of: .never).map { $0 + 1 } ?? 0)...]
    let reference =
      lastBegin.flatMap { steps[$0].began }
      ?? sinceNever.first { $0.input.interval != nil }!.now
    return reference + interval
  }

  /// - Parameter beginsOn: Whether the phase is right, and there is a handler, at the beginning.
  @Test(
    "In every sequence of six inputs, fetches begin one at a time, when they are due, without drift",
    arguments: [(true, 6), (false, 5)]
  )
  func everySequence(_ beginsOn: Bool, _ length: Int) {
    var failure: String?
    var begun = 0

    func follow(_ past: [Step], _ machine: BackgroundFetchScheduleMachine) {
      guard past.count < length, failure == nil else { return }
      for input in Input.allCases {
        var machine = machine
        let before = machine
        let now = (past.last?.now ?? .boot) + input.wait
        var steps = past + [Step(input: input, now: now)]
        let begins = past.count { $0.began != nil }
        switch input {
        case .never, .every10, .every20: machine.setInterval(input.interval!, at: now)
        case .wait10, .wait17: break
        case .turnPhase: machine.isInPhase.toggle()
        case .turnHandler: machine.hasHandler.toggle()
        case .finish:
          machine.finish(begins - 1)
          if machine != before {
            failure = "\(steps.map(\.input)): the end of an earlier fetch ends nothing"
          }
          machine.finish(begins)
        case .end: machine.end()
        }
        let due = due(steps, beginsOn)
        let isDue = due.map { $0 <= now } ?? false
        let expected: BackgroundFetchScheduleMachine.Action =
          isDue ? .begin(begins + 1) : .wait(until: due)
        let actual = machine.next(at: now)
        if actual != expected {
          failure = "\(steps.map(\.input)): \(actual), not \(expected)"
          return
        }
        if let due, isDue {
          begun += 1
          // One that is on time is counted from when it was due.
          steps[past.count].began = now - due > .milliseconds(100) ? now : due
        }
        // What changes nothing leads nowhere else, nor does anything after the end.
        if machine != before || input.wait > .zero, input != .end { follow(steps, machine) }
      }
    }

    var machine = BackgroundFetchScheduleMachine()
    machine.isInPhase = beginsOn
    machine.hasHandler = beginsOn
    follow([], machine)
    expectNoDifference(failure, nil)
    #expect(begun > 10)
  }
}
