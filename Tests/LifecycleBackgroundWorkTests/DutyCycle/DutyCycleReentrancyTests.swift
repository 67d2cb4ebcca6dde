import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Duty cycle: calls from inside of calls, and from other threads")
struct DutyCycleReentrancyTests {
  @Test("Downstream cancels inside the last value of a burst: no task", arguments: BusKind.allCases)
  func cancelsInLast(_ kind: BusKind) {
    let stage = DutyCycleStage(kind)
    stage.downstream.onValue = { [unowned downstream = stage.downstream] _ in
      downstream.cancel()
      return .none
    }
    stage.bus.send(.didEnterBackground)
    stage.send(1, 2, 3)
    expectNoDifference(stage.take(), ["3", "cancel 1"])
    expectNoDifference(stage.host.operations, [])
    #expect(stage.bus.liveSubscriptions.isEmpty)
  }

  @Test("Downstream returns to the foreground inside the last value: no rest")
  func returnsInLast() {
    for kind in BusKind.allCases {
      let stage = DutyCycleStage(kind, demand: .max(3))
      stage.downstream.onValue = { [unowned stage] number in
        guard number == 3 else { return .none }
        // One more comes while the burst is closing: it is asked for again.
        stage.send(33)
        stage.bus.send(.willEnterForeground)
        return .none
      }
      stage.bus.send(.didEnterBackground)
      stage.send(1, 2, 3, 4)
      expectNoDifference(
        stage.take(),
        ["more max(1)", "more max(1)", "3", "ask max(1)", "4"]
      )
      expectNoDifference(stage.host.operations, [])
      stage.downstream.onValue = { _ in .none }
      stage.downstream.cancel()
    }
  }

  @Test("An upstream that sends more than the burst, at once, on subscribing")
  func upstreamSendsMoreThanBurstOnSubscribing() {
    for kind in BusKind.allCases {
      for demand in [Subscribers.Demand.unlimited, .max(5)] {
        let stage = DutyCycleStage(kind, demand: demand) { stage in
          stage.bus.send(.didEnterBackground)
          stage.upstream.hook { hooks in
            hooks.request = { subscription in
              guard subscription.asked > .max(1) else { return }
              for number in 1...7 {
                subscription.send(ProbeValue(subscription.number * 10 + number))
              }
            }
          }
        }
        expectNoDifference(stage.host.openTasks.count, 1)
        _ = stage.take()
        stage.clock.advance(by: .seconds(10))
        let lines = stage.take().filter { !$0.hasPrefix("more") }
        let asked = demand == .unlimited ? "unlimited" : "max(4)"
        expectNoDifference(
          lines,
          ["subscribe 2", "ask \(asked)", "23", "cancel 2", "rest 10 s"]
        )
        stage.downstream.cancel()
        expectNoDifference(stage.upstream.liveCount, 0)
      }
    }
  }

  @Test("An upstream that sends on after it was cancelled", arguments: BusKind.allCases)
  func ignoresCancel(_ kind: BusKind) {
    let stage = DutyCycleStage(kind)
    stage.bus.send(.didEnterBackground)
    stage.send(1, 2, 3, 4, 5)
    stage.upstream.send(completion: .finished)
    expectNoDifference(stage.take(), ["3", "cancel 1", "rest 10 s"])
    stage.clock.advance(by: .seconds(10))
    stage.upstream[1].send(ProbeValue(6))
    stage.upstream[1].complete(.failure(.broken))
    expectNoDifference(stage.take(), ["subscribe 2", "ask unlimited"])
    stage.downstream.cancel()
  }

  @Test("The process returns while upstream is being cancelled: no rest, one subscription")
  func returnsInCancel() {
    for kind in BusKind.allCases {
      for goesBack in [false, true] {
        let stage = DutyCycleStage(kind) { stage in
          stage.bus.send(.didBecomeActive)
          stage.upstream.hook { [bus = stage.bus, trace = stage.trace] hooks in
            hooks.cancel = { [weak bus] subscription in
              guard subscription.number == 1 else { return }
              _ = bus?.send(.willEnterForeground)
              if goesBack { _ = bus?.send(.didEnterBackground) }
              trace("cancelled")
            }
          }
        }
        stage.bus.send(.didEnterBackground)
        stage.send(1, 2, 3)
        expectNoDifference(
          stage.take(),
          ["3", "cancel 1", "cancelled", "subscribe 2", "ask unlimited"]
        )
        expectNoDifference(stage.upstream.liveCount, 1)
        #expect(stage.host.openTasks.isEmpty)
        stage.send(4, 5)
        expectNoDifference(stage.take(), goesBack ? [] : ["4", "5"])
        // The next rest is not skipped.
        stage.bus.send(.didEnterBackground)
        if !goesBack { stage.send(6, 7) }
        stage.send(8)
        expectNoDifference(stage.take(), ["8", "cancel 2", "rest 10 s"])
        expectNoDifference(stage.host.openTasks, ["duty cycle"])
        stage.downstream.cancel()
      }
    }
  }

  @Test("Downstream cancels in the closure that is told of the rest", arguments: BusKind.allCases)
  func cancelsInRest(_ kind: BusKind) {
    let stage = DutyCycleStage(kind) { $0.bus.send(.didEnterBackground) }
    let other = ProbeSubscriber(stage.trace)
    let cycle = DutyCycle(burst: 1, rest: .seconds(10))
    stage.downstream.cancel()
    stage.subscribe(other, cycle) { [unowned other] _ in other.cancel() }
    stage.send(1)
    #expect(stage.host.openTasks.isEmpty)
    expectNoDifference(stage.clock.timerCount, 0)
  }

  @Test("A rest of zero waits for its turn of the clock", arguments: BusKind.allCases)
  func noRest(_ kind: BusKind) {
    let stage = DutyCycleStage(kind, DutyCycle(burst: 1, rest: .zero))
    stage.bus.send(.didEnterBackground)
    stage.send(1)
    expectNoDifference(stage.take(), ["1", "cancel 1", "rest 0 s"])
    stage.clock.advance(by: .zero)
    expectNoDifference(stage.take(), ["subscribe 2", "ask unlimited"])
    stage.downstream.cancel()
  }

  @Test("A burst that ends on another thread is compared with the grant on the main actor")
  func otherThread() async {
    for kind in BusKind.allCases {
      let stage = DutyCycleStage(kind, DutyCycle(burst: 1, rest: .seconds(60)))
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
  }

  @Test("A rest that is over before the main actor hears of it was granted all the same")
  func overBeforeItIsTold() async {
    for kind in BusKind.allCases {
      let stage = DutyCycleStage(kind, DutyCycle(burst: 1, rest: .seconds(60)))
      stage.bus.send(.didEnterBackground)
      let upstream = stage.upstream
      _ = onOtherThread { upstream.send(1) }
      stage.bus.send(.willEnterForeground)
      #expect(stage.host.openTasks.isEmpty)
      _ = stage.take()
      await mainQueueToDrain()
      expectNoDifference(stage.take(), ["rest 29 s"])
      expectNoDifference(stage.clock.timerCount, 0)
      stage.downstream.cancel()
    }
  }

  @Test("Nothing is kept alive by a subscription that was cancelled in its rest")
  func cancelledSubscriptionKeepsNothingAlive() {
    for kind in BusKind.allCases {
      let trace = Trace()
      let tasks = BackgroundTaskCoordinator(host: InMemoryBackgroundTaskHost())
      let bus = kind.make()
      bus.send(.didEnterBackground)
      let upstream = PassthroughSubject<Int, Never>()
      var canary: Canary? = Canary { trace("released") }
      let token = upstream.dutyCycle(
        DutyCycle(burst: 1, rest: .seconds(1)),
        of: bus,
        tasks: tasks
      )
      .sink { [canary] in trace("\($0) \(canary == nil)") }
      canary = nil
      upstream.send(1)
      token.cancel()
      expectNoDifference(trace.lines, ["1 false", "released"])
    }
  }
}
