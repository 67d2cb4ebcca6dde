import CustomDump
import LifecycleCombine
import LifecycleCountdowns
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// G7 for countdowns: no lock is held while the clock is read, somebody is told, or something is
/// released. Code that asks a countdown from another thread in those moments would hang otherwise.
@Suite("Countdown: no lock is held")
@MainActor
struct CountdownLockTests {
  /// A clock that looks at the bus and at a countdown whenever it is used.
  private final class NosyClock: LifecycleClock {
    let look = Locked<(@Sendable () -> Void)?>(nil)
    let clock = ManualClock()
    let count = Locked(0)

    private func lookAround() {
      count.withLock { $0 += 1 }
      guard let look = look.withLock({ $0 }) else { return }
      self.look.withLock { $0 = nil }
      onOtherThread(look)
      self.look.withLock { $0 = look }
    }

    var now: LifecycleInstant {
      lookAround()
      return clock.now
    }

    var bootID: BootID? {
      lookAround()
      return clock.bootID
    }

    func schedule(at deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void)
      -> LifecycleCancellable
    {
      lookAround()
      let timer = clock.schedule(at: deadline, body)
      return LifecycleCancellable { [self] in
        lookAround()
        timer.cancel()
      }
    }
  }

  @Test("The clock may use the bus and its countdowns", arguments: BusKind.allCases)
  func clockUsesCountdowns(_ kind: BusKind) {
    let clock = NosyClock()
    let bus = kind.make(clock: clock)
    weak let weakBus: (any LifecycleBusProtocol)? = bus
    // The first of a bus is made while the clock makes another.
    clock.look.withLock { look in
      look = {
        guard let bus = weakBus else { return }
        let other = Countdown(.seconds(2), of: bus)
        _ = (other.state, bus.liveSubscriptions, bus.diagnostics)
      }
    }
    let countdown = Countdown(.seconds(3), of: bus)
    // A start has the clock read again: not for ever.
    let last = clock.count.withLock { $0 } + 50
    clock.look.withLock { look in
      look = { [unowned clock] in
        guard let bus = weakBus else { return }
        let other = Countdown(.seconds(2), of: bus)
        if clock.count.withLock({ $0 < last }) { other.start() }
        _ = (countdown.state, countdown.record, bus.phase)
      }
    }
    let trace = Trace()
    let sink = countdown.states.sink { trace($0.line) }
    countdown.start()
    clock.clock.advance(by: .seconds(1))
    bus.send(.didEnterBackground)
    bus.send(.didBecomeActive)
    _ = Countdown(restoring: countdown.record, of: bus)
    expectNoDifference(trace.lines.last, "running 2")
    let former = clock.count.withLock { $0 }
    _ = countdown.remaining
    #expect(clock.count.withLock { $0 } > former)
    clock.look.withLock { $0 = nil }
    sink.cancel()
  }

  @Test(
    "Who is told may wait for another thread that uses the countdown",
    arguments: BusKind.allCases
  )
  func observersWait(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    let countdown = stage.countdown(3)
    let trace = stage.trace
    let sink = countdown.states.sink { state in
      onOtherThread {
        trace(countdown.state.line)
        if state.remaining == .seconds(2) { countdown.pause() }
        _ = countdown.record
      }
    }
    countdown.start()
    stage.pass(1)
    #expect(trace.lines.contains("running 3"))
    sink.cancel()
  }

  /// A subscriber that gives its subscription away, so that nothing but the countdown holds the row.
  private final class Careless: Subscriber {
    typealias Input = Countdown.State
    typealias Failure = Never
    let canary: Canary
    init(_ canary: Canary) { self.canary = canary }
    func receive(subscription: any Subscription) {}
    func receive(_ input: Countdown.State) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<Never>) {}
  }

  @Test(
    "A subscriber that is released with the countdown may use the others",
    arguments: BusKind.allCases,
    [false, true]
  )
  func releasedSubscriber(_ kind: BusKind, terminates: Bool) {
    let stage = CountdownStage(kind)
    let other = stage.countdown(5)
    let trace = stage.trace
    var countdown: Countdown? = stage.countdown(3)
    if terminates { stage.bus.send(.willTerminate) }
    countdown!.states.subscribe(
      Careless(
        Canary {
          other.start()
          onOtherThread { trace(other.state.line) }
        }
      )
    )
    countdown = nil
    if terminates {
      expectNoDifference(trace.take(), ["running 5"])
    } else {
      stage.bus.send(.willTerminate)
    }
  }
}
