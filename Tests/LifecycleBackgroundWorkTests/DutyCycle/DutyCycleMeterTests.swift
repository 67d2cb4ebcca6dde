import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Duty cycle: meters")
struct DutyCycleMeterTests {
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
    expectNoDifference(meter.observedDuration, .seconds(5 + 5 + 3))
    resting.send(1)
    clock.advance(by: .seconds(4))
    expectNoDifference(meter.subscribedDuration, .seconds(5 + 9 + 3))
    expectNoDifference(meter.observedDuration, .seconds(9 + 9 + 7))
    expectNoDifference(meter.subscriptionCount, 3)
    expectNoDifference(meter.restCount, 2)
    clock.advance(by: .seconds(6))
    expectNoDifference(meter.subscriptionCount, 5)
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test("A reading costs one of the clock for each open subscription, however many were closed")
  func readingCostsOneForEachOpenSubscription() {
    let clock = CountingClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let tasks = BackgroundTaskCoordinator(host: InMemoryBackgroundTaskHost())
    let meter = DutyCycleMeter()
    let upstream = PassthroughSubject<Int, Never>()
    let cycle = DutyCycle(burst: 1, rest: .seconds(10))
    let publisher = upstream.dutyCycle(cycle, of: bus, tasks: tasks, meter: meter)
    for _ in 0..<100 { publisher.sink { _ in }.cancel() }
    for count in 0..<4 {
      let subscriptions = (0..<count).map { _ in publisher.sink { _ in } }
      for read in [{ meter.subscribedDuration }, { meter.observedDuration }] {
        let before = clock.reads.count
        _ = read()
        expectNoDifference(clock.reads.count - before, count)
      }
      for subscription in subscriptions { subscription.cancel() }
    }
  }
}
