import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// An upstream under a duty cycle, on an active bus, with 30 s of background time.
@MainActor
final class DutyCycleStage {
  let trace = Trace()
  let clock = ManualClock()
  let host: InMemoryBackgroundTaskHost
  let tasks: BackgroundTaskCoordinator
  let meter = DutyCycleMeter()
  let upstream: ProbePublisher
  /// The publisher that is subscribed to during rests, if the stage has one.
  let coarse: ProbePublisher?
  let downstream: ProbeSubscriber
  private var heldBus: (any LifecycleBusProtocol)?

  init(
    _ cycle: DutyCycle = DutyCycle(burst: 3, rest: .seconds(10)),
    demand: Subscribers.Demand = .unlimited,
    remainingTime: Duration? = .seconds(30),
    hasCoarsePublisher: Bool = false,
    onAnyThread: Bool = false,
    _ prepare: (DutyCycleStage) -> Void = { $0.bus.send(.didBecomeActive) }
  ) {
    heldBus = onAnyThread ? NonisolatedLifecycleBus(clock: clock) : LifecycleBus(clock: clock)
    host = InMemoryBackgroundTaskHost(clock: clock, remainingTime: remainingTime)
    tasks = BackgroundTaskCoordinator(host: host)
    upstream = ProbePublisher(trace)
    coarse = hasCoarsePublisher ? ProbePublisher(Trace()) : nil
    coarse?.hook { [trace] hooks in
      hooks.subscribe = { _ in trace("coarse on") }
      hooks.request = { trace("coarse \($0.asked)") }
      hooks.cancel = { _ in trace("coarse off") }
    }
    downstream = ProbeSubscriber(trace, demand: demand)
    prepare(self)
    subscribe(downstream, cycle) { [trace] rest in
      trace("rest \(rest.granted.text)\(rest.isGranted ? "" : " not granted")")
    }
    if demand > .none, upstream.count == 1 { _ = trace.take() }
  }

  var bus: any LifecycleBusProtocol { heldBus! }

  func subscribe(
    _ downstream: ProbeSubscriber,
    _ cycle: DutyCycle,
    onRest: @escaping @MainActor @Sendable (DutyCycle.Rest) -> Void
  ) {
    upstream.dutyCycle(cycle, of: bus, tasks: tasks, resting: coarse, meter: meter, onRest: onRest)
      .subscribe(downstream)
  }

  func send(_ numbers: Int...) {
    for number in numbers { upstream.send(number) }
  }

  func releaseBus() { heldBus = nil }

  /// What happened, with the tasks, since this was last asked for.
  func take() -> [String] { trace.take() }
}

@MainActor
@Suite("Duty cycle")
struct DutyCycleTests {

  @Test(
    "In the background, the last value of a burst is delivered, and a rest under one task follows"
  )
  func lastOfBurstThenRestInBackground() {
    let stage = DutyCycleStage()
    stage.bus.send(.didEnterBackground)
    stage.send(1, 2, 3)
    expectNoDifference(stage.take(), ["3", "cancel 1", "rest 10 s"])
    expectNoDifference(stage.host.openTasks, ["duty cycle"])
    stage.clock.advance(by: .seconds(9))
    expectNoDifference(stage.take(), [])
    stage.clock.advance(by: .seconds(1))
    expectNoDifference(stage.take(), ["subscribe 2", "ask unlimited"])
    expectNoDifference(stage.host.openTasks, [])
    stage.send(4, 5, 6)
    expectNoDifference(stage.take(), ["6", "cancel 2", "rest 10 s"])
    stage.clock.advance(by: .seconds(10))
    expectNoDifference(
      stage.host.operations,
      [.began("duty cycle"), .ended("duty cycle"), .began("duty cycle"), .ended("duty cycle")]
    )
    stage.downstream.cancel()
  }

  @Test("The time of a burst begins with its first value, and ends with the burst")
  func timeOfBurst() {
    let cycle = DutyCycle(burst: 3, within: .seconds(5), delivering: .all, rest: .seconds(10))
    let stage = DutyCycleStage(cycle)
    stage.send(1)
    stage.bus.send(.didEnterBackground)
    stage.clock.advance(by: .seconds(100))
    expectNoDifference(stage.take(), ["1"], "a receiver that takes long for its first position")
    stage.send(2)
    stage.clock.advance(by: .seconds(4))
    stage.bus.send(.willEnterForeground)
    expectNoDifference(stage.clock.timerCount, 0)
    stage.bus.send(.didEnterBackground)
    stage.clock.advance(by: .seconds(4))
    stage.send(3)
    stage.clock.sleepDevice(for: .seconds(60))
    expectNoDifference(stage.take(), ["2", "3", "cancel 1", "rest 10 s"])
    stage.clock.advance(by: .seconds(10))
    stage.send(4, 5, 6)
    expectNoDifference(
      stage.take(),
      ["subscribe 2", "ask unlimited", "4", "5", "6", "cancel 2", "rest 10 s"]
    )
    expectNoDifference(stage.clock.timerCount, 2, "of the rest, and of the grant")
    stage.downstream.cancel()
    expectNoDifference(stage.clock.timerCount, 0)
  }

  @Test("Without a grant, a rest lasts as long as requested, and is marked as not granted")
  func restWithoutGrant() {
    let stage = DutyCycleStage(DutyCycle(burst: 1, rest: .seconds(60)))
    stage.host.isGranting = false
    stage.bus.send(.didEnterBackground)
    stage.send(1)
    stage.clock.advance(by: .seconds(59))
    expectNoDifference(stage.take(), ["1", "cancel 1", "rest 60 s not granted"])
    stage.clock.advance(by: .seconds(1))
    expectNoDifference(stage.take(), ["subscribe 2", "ask unlimited"])
    stage.downstream.cancel()
  }

  @Test("The return ends the rest and its task in the publisher's turn of the event")
  func returnEndsTheRest() {
    var observers: [LifecycleCancellable] = []
    let stage = DutyCycleStage { stage in
      stage.bus.send(.didBecomeActive)
      observers.append(
        stage.bus.addObserver(for: [.willEnterForeground]) { [trace = stage.trace] _ in
          trace("earlier observer")
        }
      )
    }
    observers.append(
      stage.bus.addObserver(for: [.willEnterForeground]) { [trace = stage.trace] _ in
        trace("later observer")
      }
    )
    stage.bus.send(.didEnterBackground)
    stage.send(1, 2, 3)
    _ = stage.take()
    stage.bus.send(.willEnterForeground)
    expectNoDifference(
      stage.take(),
      ["earlier observer", "subscribe 2", "ask unlimited", "later observer"]
    )
    #expect(stage.host.openTasks.isEmpty)
    expectNoDifference(stage.clock.timerCount, 0)
    stage.send(4, 5)
    expectNoDifference(stage.take(), ["4", "5"])
    stage.downstream.cancel()
    withExtendedLifetime(observers) {}
  }

  @Test("On a bus that has ended, a duty cycle finishes at once")
  func endedBus() {
    let stage = DutyCycleStage { $0.bus.send(.willTerminate) }
    expectNoDifference(stage.take(), ["subscription", "finished"])
  }

  @Test("A burst or a duration that is too small is reported, and set to the smallest possible")
  func badValues() {
    var cycle: DutyCycle?
    expectReportedIssue("burst of 0 values, so the burst was set to 1", line: #line + 1) {
      cycle = DutyCycle(burst: 0, rest: .seconds(1))
    }
    expectNoDifference(cycle?.burst, 1)
    expectReportedIssue("burst of -1 s, so its duration was set to zero", line: #line + 1) {
      cycle = DutyCycle(burst: 2, within: .seconds(-1), rest: .seconds(1))
    }
    expectNoDifference(cycle?.burstDuration, .zero)
    expectReportedIssue("rest of -1 s, so the rest was set to zero", line: #line + 1) {
      cycle = DutyCycle(burst: 1, rest: .seconds(-1))
    }
    expectNoDifference(cycle?.rest, .zero)
  }

  // MARK: Faults of code written by hand

  @Test("The task and the timer of a rest end once, however the rest ends")
  func endsOnceOnEveryPath() {
    let paths: [(DutyCycleStage) -> Void] = [
      { $0.clock.advance(by: .seconds(10)) },
      { $0.host.expire() },
      { $0.bus.send(.willEnterForeground) },
      { $0.bus.send(.willTerminate) },
      { $0.downstream.cancel() },
      { $0.releaseBus() },
    ]
    for (index, path) in paths.enumerated() {
      let stage = DutyCycleStage()
      stage.bus.send(.didEnterBackground)
      stage.send(1, 2, 3)
      expectNoDifference(stage.host.openTasks.count, 1)
      path(stage)
      #expect(stage.host.openTasks.isEmpty, "path \(index)")
      expectNoDifference(stage.clock.timerCount, 0, "path \(index)")
      stage.clock.advance(by: .seconds(100))
      stage.downstream.cancel()
      expectNoDifference(stage.host.operations.count { $0 == .ended("duty cycle") }, 1)
    }
  }

  @Test("Rests that exceed the grant are reported once, at the operator's line, before the first")
  func longerThanGrantIsReported() {
    let stage = DutyCycleStage()
    let cycle = DutyCycle(burst: 1, rest: .seconds(180))
    let source = PassthroughSubject<Int, Never>()
    var token: AnyCancellable?
    expectReportedIssue("but the system grants a background task 30 s", line: #line + 1) {
      token = source.dutyCycle(cycle, of: stage.bus, tasks: stage.tasks).sink { _ in }
    }
    stage.bus.send(.didEnterBackground)
    expectNoDifference(reportedIssues { source.send(1) }.map(\.message), [])
    token?.cancel()
    stage.downstream.cancel()
  }

  @Test("A rest that has become longer than what remains of the grant is reported as it begins")
  func longerThanRemainingTimeIsReported() {
    let stage = DutyCycleStage()
    stage.bus.send(.didEnterBackground)
    let cycle = DutyCycle(burst: 1, rest: .seconds(20))
    let source = PassthroughSubject<Int, Never>()
    let line = #line + 1
    let token = source.dutyCycle(cycle, of: stage.bus, tasks: stage.tasks).sink { _ in }
    stage.host.remainingTime = .seconds(15)
    expectReportedIssue("a rest of 20 s, but the system grants less time", line: line) {
      source.send(1)
    }
    token.cancel()
    stage.downstream.cancel()
  }

  @Test("A rest is shortened only if it is longer than the grant, by a tenth of it, at most 1 s")
  func onlyRestLongerThanWhatRemainsIsShortened() {
    func granted(_ remaining: Duration?, _ elapsed: Duration = .zero) -> Duration {
      DutyCycle.Rest.granted(of: .seconds(20), remaining: remaining, elapsed: elapsed)
    }
    expectNoDifference(granted(nil), .seconds(20))
    expectNoDifference(granted(.seconds(21)), .seconds(20))
    expectNoDifference(granted(.seconds(20)), .seconds(20))
    expectNoDifference(granted(.seconds(20) - .nanoseconds(1)), .seconds(19) - .nanoseconds(1))
    expectNoDifference(granted(.seconds(15), .seconds(5)), .seconds(20))
    expectNoDifference(granted(.seconds(15), .seconds(4)), .seconds(18))
    expectNoDifference(granted(.seconds(5)), .milliseconds(4_500))
    expectNoDifference(granted(.seconds(5), .seconds(2)), .milliseconds(6_500))
    expectNoDifference(granted(.zero), .zero)
    expectNoDifference(granted(.seconds(-5)), .zero)
    expectNoDifference(granted(Duration.seconds(Int64.max) * 2), .seconds(20))
  }

  // MARK: Meters

  @Test("A meter of two operators, one of which is subscribed to twice, shows the sums")
  func sharedMeter() {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let tasks = BackgroundTaskCoordinator(host: InMemoryBackgroundTaskHost(clock: clock))
    let meter = DutyCycleMeter()
    let (resting, busy) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let cycle = DutyCycle(burst: 1, rest: .seconds(10))
    let twice = resting.dutyCycle(cycle, of: bus, tasks: tasks, meter: meter)
    let once = busy.dutyCycle(cycle, of: bus, tasks: tasks, meter: meter)
    bus.send(.didEnterBackground)
    var subscriptions = [twice.sink { _ in }, once.sink { _ in }]
    clock.advance(by: .seconds(2))
    subscriptions.append(twice.sink { _ in })
    clock.advance(by: .seconds(3))
    expectNoDifference(meter.subscribedDuration, .seconds(5 + 5 + 3))
    resting.send(1)
    clock.advance(by: .seconds(4))
    expectNoDifference(meter.subscribedDuration, .seconds(5 + 9 + 3))
    clock.advance(by: .seconds(6))
    for subscription in subscriptions { subscription.cancel() }
    expectNoDifference(meter.subscribedDuration, .seconds(5 + 15 + 3))
    clock.advance(by: .seconds(4))
    expectNoDifference(meter.subscribedDuration, .seconds(23), "it has stopped")
    expectNoDifference(DutyCycleMeter().subscribedDuration, .zero)
    withExtendedLifetime(bus) {}
  }
}
