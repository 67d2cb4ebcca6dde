import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleCountdowns
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// The thread sanitizer runs these, too.
@Suite("Countdown: threads")
struct CountdownThreadTests {
  private static let rounds = 150

  @Test(
    "After commands, subscribers, events and time from four threads, each countdown finishes once"
  )
  func everythingAtOnce() async {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    let countdowns = Countdown.BackgroundBehavior.allCases.map {
      Countdown(.seconds(3), of: bus, tickInterval: .seconds(1), inBackground: $0)
    }
    let received = Locked<[[Countdown.State]]>(countdowns.map { _ in [] })
    let sinks = countdowns.indices.map { index in
      UncheckedBox(
        countdowns[index].states.sink { state in received.withLock { $0[index].append(state) } }
      )
    }
    await awaitOtherThreads(4) { thread in
      for round in 0..<Self.rounds { Self.act(thread, round, countdowns, bus, clock) }
    }
    bus.send(.didBecomeActive)
    received.withLock { $0 = countdowns.map { _ in [] } }
    for countdown in countdowns { countdown.restart() }
    clock.advance(by: .seconds(10))
    for states in received.withLock({ $0 }) {
      #expect(states.count { $0.status == .finished } == 1)
      #expect(states.last?.status == .finished)
    }
    #expect(clock.timerCount == 0)
    for sink in sinks { sink.value = nil }
    withExtendedLifetime((bus, countdowns)) {}
  }

  private static func act(
    _ thread: Int,
    _ round: Int,
    _ countdowns: [Countdown],
    _ bus: NonisolatedLifecycleBus,
    _ clock: ManualClock
  ) {
    let countdown = countdowns[round % countdowns.count]
    switch thread {
    case 0: bus.send(round % 2 == 0 ? .didEnterBackground : .didBecomeActive)
    case 1: clock.advance(by: .milliseconds(400))
    case 2:
      switch round % 5 {
      case 0: countdown.pause()
      case 1: countdown.resume()
      case 2: countdown.extend(by: .seconds(round % 3 - 1))
      case 3: countdown.reset()
      default: countdown.restart()
      }
    default:
      let own = Countdown(.seconds(1), of: bus)
      let sink = own.states.sink { _ in }
      own.start()
      _ = (countdown.state, own.savedState, own.remaining, bus.diagnostics.liveSubscriptions.count)
      let other = countdown.states.sink { _ in }
      if round % 2 == 0 { sink.cancel() }
      other.cancel()
    }
  }

  @Test(
    "On a main-actor bus, subscribers receive states on the main actor, whichever thread causes them"
  )
  @MainActor
  func deliveredOnTheMainActor() async {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    let countdown = Countdown(.seconds(3), of: bus, tickInterval: .seconds(1))
    let trace = Trace()
    let sink = countdown.states.sink { state in
      trace("\(state.line) on main \(MainQueue.isCurrent)")
    }
    expectNoDifference(trace.take(), ["idle 3 on main true"])
    let steps: [(String, @Sendable () -> Void)] = [
      ("running 3", { countdown.start() }),
      ("running 2", { clock.advance(by: .seconds(1)) }),
      ("paused 2", { countdown.pause() }),
    ]
    for (line, step) in steps {
      onOtherThread(step)
      expectNoDifference(trace.take(), [])
      await mainQueueToDrain()
      expectNoDifference(trace.take(), ["\(line) on main true"])
    }
    sink.cancel()
    withExtendedLifetime((bus, countdown)) {}
  }

  @Test("No end is lost when nothing but the clock and restarts compete")
  func noLostFinish() async {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    let countdowns = (0..<3).map { _ in Countdown(.seconds(2), of: bus) }
    let finishes = Counter()
    let sinks = countdowns.map { countdown in
      UncheckedBox(
        countdown.states.sink {
          if $0.status == .finished { finishes.add() }
        }
      )
    }
    let rounds = Self.rounds
    await awaitOtherThreads(countdowns.count) { thread in
      let countdown = countdowns[thread]
      for _ in 0..<rounds {
        // Each run is let finish: of one that has, the end was reported or will be.
        while countdown.state.status == .running { clock.advance(by: .milliseconds(100)) }
        countdown.restart()
      }
    }
    clock.advance(by: .seconds(2))
    // A subscriber is never slow here, so that it misses none.
    expectNoDifference(finishes.count, 3 * rounds)
    for sink in sinks { sink.value = nil }
    withExtendedLifetime((bus, countdowns)) {}
  }

  @Test("The first countdowns of a bus, made on several threads, share one timer")
  func firstOnes() async {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    // The threads' closures may outlive the test by a moment: they hold this, not the countdowns.
    let made = Locked<[Countdown]>([])
    for _ in 0..<50 {
      await awaitOtherThreads(3) { _ in
        let countdown = Countdown(.seconds(1), of: bus)
        countdown.start()
        made.withLock { $0.append(countdown) }
      }
      let countdowns = made.exchange([])
      expectNoDifference(Set(countdowns.map { ObjectIdentifier($0.core.queue) }).count, 1)
      expectNoDifference(clock.timerCount, 1)
      withExtendedLifetime((bus, countdowns)) {}
    }
  }

  @MainActor
  @Test(
    "A return that ends before it is delivered causes no tick, and the next return does",
    arguments: Countdown.BackgroundBehavior.allCases
  )
  func hastyReturn(_ behavior: Countdown.BackgroundBehavior) async {
    let stage = CountdownStage()
    let countdown = stage.countdown(10, inBackground: behavior)
    // Who joins later would have the countdown looked at.
    let states = stage.record(countdown)
    countdown.start()
    // The main actor hears of all three at once, and of no tick between them.
    onOtherThread {
      for kind in [LifecycleEvent.Kind.didEnterBackground, .didBecomeActive, .didEnterBackground] {
        stage.bus.send(kind)
        stage.pass(0.25)
      }
    }
    await mainQueueToDrain()
    states.takeElements()
    stage.enterForeground()
    expectNoDifference(states.takeElements(), [.running(behavior == .pause ? 9.75 : 10)])
    stage.pass(20)
    expectNoDifference(states.elements.last, .finished)
    expectNoDifference(stage.clock.timerCount, 0)
    withExtendedLifetime(countdown) {}
  }
}

/// G7 for countdowns: no lock is held while the clock is read, a subscriber is called, or something
/// is released. Code that asks a countdown from another thread in those moments would hang otherwise.
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

  @Test("A clock that uses the bus and its countdowns does not deadlock")
  func clockUsesCountdowns() {
    let clock = NosyClock()
    let bus = LifecycleBus(clock: clock)
    weak let weakBus: LifecycleBus? = bus
    // The first of a bus is made while the clock makes another.
    clock.look.withLock { look in
      look = {
        guard let bus = weakBus else { return }
        let other = Countdown(.seconds(2), of: bus)
        _ = (other.state, bus.diagnostics.liveSubscriptions, bus.diagnostics)
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
        _ = (countdown.state, countdown.savedState, bus.phase)
      }
    }
    let trace = Trace()
    let sink = countdown.states.sink { trace($0.line) }
    countdown.start()
    clock.clock.advance(by: .seconds(1))
    bus.send(.didEnterBackground)
    bus.send(.didBecomeActive)
    _ = Countdown(restoring: countdown.savedState, of: bus)
    expectNoDifference(trace.lines.last, "running 2")
    let former = clock.count.withLock { $0 }
    _ = countdown.remaining
    #expect(clock.count.withLock { $0 } > former)
    clock.look.withLock { $0 = nil }
    sink.cancel()
    withExtendedLifetime((bus, countdown)) {}
  }

  @Test("A subscriber may wait for another thread that uses the countdown")
  func observersWait() {
    let stage = CountdownStage()
    let countdown = stage.countdown(3)
    let trace = stage.trace
    let sink = countdown.states.sink { state in
      onOtherThread {
        trace(countdown.state.line)
        if state.remaining == .seconds(2) { countdown.pause() }
        _ = countdown.savedState
      }
    }
    countdown.start()
    stage.pass(1)
    #expect(trace.lines.contains("running 3"))
    sink.cancel()
  }

  /// A subscriber that gives its subscription away, so that nothing but the countdown holds the
  /// row.
  private final class Careless: Subscriber {
    typealias Input = Countdown.State
    typealias Failure = Never
    let canary: Canary
    init(_ canary: Canary) { self.canary = canary }
    func receive(subscription: any Subscription) {}
    func receive(_ input: Countdown.State) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<Never>) {}
  }

  @Test("A subscriber that is released with its countdown may use other countdowns")
  func releasedSubscriber() {
    let stage = CountdownStage()
    let other = stage.countdown(5)
    let trace = stage.trace
    var countdown: Countdown? = stage.countdown(3)
    stage.bus.send(.willTerminate)
    countdown!.states.subscribe(
      Careless(
        Canary {
          other.start()
          onOtherThread { trace(other.state.line) }
        }
      )
    )
    countdown = nil
    expectNoDifference(trace.take(), ["running 5"])
  }
}
