import CustomDump
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Countdown: a crowd")
@MainActor
struct CountdownCrowdTests {
  @Test("A hundred thousand, started, cancelled and released in mixed order, on one timer")
  func hundredThousand() {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    let count = 100_000
    var countdowns: [Countdown?] = (0..<count).map {
      Countdown(.seconds(60 + $0 % 50), of: bus, tickInterval: nil)
    }
    let cores = stride(from: 0, to: count, by: 97).map { Weak(countdowns[$0]!.core) }
    // 7919 and the count have no common factor: each comes once.
    for number in 0..<count { countdowns[number * 7919 % count]!.start() }
    expectNoDifference(clock.timerCount, 1)
    for number in stride(from: 0, to: count, by: 3) { countdowns[number]!.cancel() }
    for number in stride(from: 0, to: count, by: 3) { countdowns[number]!.start() }
    for number in stride(from: 1, to: count, by: 3) { countdowns[number]!.cancel() }
    #expect(countdowns[0]!.core.queue.entryCount.ticks <= 2 * count)
    clock.advance(by: .seconds(80))
    for number in stride(from: 0, to: count, by: 1009) {
      let countdown = countdowns[number]!
      let isDue = number % 50 <= 20
      let status: Countdown.Status = number % 3 == 1 ? .idle : isDue ? .finished : .running
      expectNoDifference(countdown.state.status, status)
    }
    expectNoDifference(clock.timerCount, 1)
    for number in 0..<count { countdowns[number * 7919 % count] = nil }
    expectNoDifference(clock.timerCount, 0)
    #expect(cores.allSatisfy { !$0.isAlive })
  }
}
