import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("Duty cycle: re-entrancy and threads")
struct DutyCycleThreadTests {
  @Test(
    "With values, phases and time from four threads, there is one task and one upstream at most",
    arguments: [false, true]
  )
  func everythingAtOnce(hasCoarsePublisher: Bool) async {
    let stage = DutyCycleStage(
      DutyCycle(burst: 2, rest: .seconds(1)),
      hasCoarsePublisher: hasCoarsePublisher,
      onAnyThread: true
    )
    let (upstream, bus, clock, tasks) = (stage.upstream, stage.bus, stage.clock, stage.tasks)
    let live = Counter()
    let breaches = Counter()
    upstream.hook { hooks in
      hooks.subscribe = { _ in if live.add() > 1 { breaches.add() } }
      hooks.cancel = { _ in live.subtract() }
    }
    // The first subscription was made before the hooks.
    stage.bus.send(.didEnterBackground)
    stage.send(1, 2)
    await awaitOtherThreads(4) { worker in
      for round in 1...400 {
        switch worker {
        case 0: upstream.send(round)
        case 1: bus.send(round.isMultiple(of: 2) ? .didBecomeActive : .didEnterBackground)
        case 2: clock.advance(by: .milliseconds(500))
        default: if tasks.grantedTasks.count > 1 { breaches.add() }
        }
      }
    }
    expectNoDifference(breaches.count, 0)
    stage.downstream.cancel()
    expectNoDifference(live.count, 0)
    expectNoDifference(stage.coarse?.liveCount ?? 0, 0)
    #expect(tasks.grantedTasks.isEmpty)
    stage.host.expectNoOpenTasks()
    #expect(!stage.take().contains { $0.contains("inside of another call") })
  }

  @Test(
    "A cancellation while a rest begins on another thread leaves no task, subscription or timer",
    arguments: [false, true]
  )
  func cancelWhileRestBegins(hasCoarsePublisher: Bool) async {
    for _ in 1...200 {
      let stage = DutyCycleStage(
        DutyCycle(burst: 1, rest: .seconds(1)),
        hasCoarsePublisher: hasCoarsePublisher,
        onAnyThread: true
      )
      stage.bus.send(.didEnterBackground)
      let (upstream, downstream) = (stage.upstream, stage.downstream)
      await awaitOtherThreads(2) { worker in
        if worker == 0 { upstream.send(1) } else { downstream.cancel() }
      }
      #expect(stage.tasks.grantedTasks.isEmpty)
      expectNoDifference(stage.upstream.liveCount, 0)
      expectNoDifference(stage.coarse?.liveCount ?? 0, 0)
      expectNoDifference(stage.clock.timerCount, 0)
    }
  }

  @Test("A return while upstream is being cancelled skips the rest, and subscribes once")
  func returnsInCancel() {
    let stage = DutyCycleStage { stage in
      stage.bus.send(.didBecomeActive)
      stage.upstream.hook { [bus = stage.bus] hooks in
        hooks.cancel = { [weak bus] subscription in
          if subscription.number == 1 { _ = bus?.send(.willEnterForeground) }
        }
      }
    }
    stage.bus.send(.didEnterBackground)
    stage.send(1, 2, 3)
    expectNoDifference(stage.take(), ["3", "cancel 1", "subscribe 2", "ask unlimited"])
    expectNoDifference(stage.upstream.liveCount, 1)
    #expect(stage.host.openTasks.isEmpty)
    // The next rest is not skipped.
    stage.bus.send(.didEnterBackground)
    stage.send(4, 5, 6)
    expectNoDifference(stage.take(), ["6", "cancel 2", "rest 10 s"])
    stage.downstream.cancel()
  }

  @Test("A cancellation inside onRest ends the rest and its timer")
  func cancelsInRest() {
    let stage = DutyCycleStage { $0.bus.send(.didEnterBackground) }
    let other = ProbeSubscriber(stage.trace)
    let cycle = DutyCycle(burst: 1, rest: .seconds(10))
    stage.downstream.cancel()
    stage.subscribe(other, cycle) { [unowned other] _ in other.cancel() }
    stage.send(1)
    #expect(stage.host.openTasks.isEmpty)
    expectNoDifference(stage.clock.timerCount, 0)
    withExtendedLifetime(other) {}
  }

  @Test("A burst that ends on another thread is compared with the grant on the main actor")
  func otherThread() async {
    let stage = DutyCycleStage(DutyCycle(burst: 1, rest: .seconds(60)))
    stage.bus.send(.didEnterBackground)
    let upstream = stage.upstream
    _ = onOtherThread { upstream.send(1) }
    expectNoDifference(stage.host.openTasks, ["duty cycle"])
    expectNoDifference(stage.take(), ["1", "cancel 1"])
    await mainQueueToDrain()
    expectNoDifference(stage.take(), ["rest 29 s"])
    stage.clock.advance(by: .seconds(29))
    expectNoDifference(stage.take(), ["subscribe 2", "ask unlimited"])
    stage.downstream.cancel()
    expectNoDifference(stage.clock.timerCount, 0)
  }

  @Test("A rest that ends before the main actor compares it with the grant is marked as granted")
  func overBeforeItIsCompared() async {
    let stage = DutyCycleStage(DutyCycle(burst: 1, rest: .seconds(60)))
    stage.bus.send(.didEnterBackground)
    let upstream = stage.upstream
    _ = onOtherThread { upstream.send(1) }
    stage.bus.send(.willEnterForeground)
    _ = stage.take()
    await mainQueueToDrain()
    expectNoDifference(stage.take(), ["rest 29 s"])
    expectNoDifference(stage.clock.timerCount, 0)
    stage.downstream.cancel()
  }

  @Test("While the main thread is blocked, a rest lasts as long as the cycle specifies")
  func blockedMainThread() async {
    let stage = DutyCycleStage(DutyCycle(burst: 1, rest: .milliseconds(29_500)))
    stage.bus.send(.didEnterBackground)
    let upstream = stage.upstream
    _ = onOtherThread { upstream.send(1) }
    // The comparison with the grant needs the main thread.
    stage.clock.advance(by: .milliseconds(29_400))
    expectNoDifference(stage.take(), ["1", "cancel 1"])
    stage.clock.advance(by: .milliseconds(100))
    expectNoDifference(stage.take(), ["subscribe 2", "ask unlimited"])
    await mainQueueToDrain()
    stage.downstream.cancel()
  }

  @Test("A subscription that is cancelled in a rest releases its subscriber")
  func cancelledSubscriptionKeepsNothingAlive() {
    let trace = Trace()
    let tasks = BackgroundTaskCoordinator(host: InMemoryBackgroundTaskHost())
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.didEnterBackground)
    let upstream = PassthroughSubject<Int, Never>()
    var canary: Canary? = Canary { trace("released") }
    let token = upstream.dutyCycle(DutyCycle(burst: 1, rest: .seconds(1)), of: bus, tasks: tasks)
      .sink { [canary] in trace("\($0) \(canary == nil)") }
    canary = nil
    upstream.send(1)
    token.cancel()
    expectNoDifference(trace.lines, ["1 false", "released"])
    withExtendedLifetime(bus) {}
  }

  @Test("A rest that another thread ends on a main actor's bus ends on the main actor")
  func restEndsOnTheMainActor() async {
    let stage = DutyCycleStage(DutyCycle(burst: 1, rest: .seconds(10)))
    stage.bus.send(.didEnterBackground)
    stage.send(1)
    _ = stage.take()
    stage.upstream.hook { [trace = stage.trace] hooks in
      hooks.subscribe = { _ in trace("on main \(MainQueue.isCurrent)") }
    }
    let clock = stage.clock
    onOtherThread { clock.advance(by: .seconds(10)) }
    expectNoDifference(stage.take(), [])
    await mainQueueToDrain()
    expectNoDifference(stage.take(), ["subscribe 2", "on main true", "ask unlimited"])
    stage.downstream.cancel()
  }
}
