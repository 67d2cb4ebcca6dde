import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleCountdowns

@Suite("Countdown: limits")
@MainActor
struct CountdownLimitTests {
  private nonisolated static let most =
    Duration(secondsComponent: .max, attosecondsComponent: 0) * 16
  private nonisolated static let least =
    Duration(secondsComponent: .min, attosecondsComponent: 0) * 16
  private nonisolated static let extremes: [Duration] = [
    least, .seconds(Int64.min), .seconds(-9_223_372_037), .nanoseconds(-1), .zero, .nanoseconds(1),
    // The seconds fit into 64 bits of nanoseconds, and the rest does not.
    .seconds(9_223_372_036) + .milliseconds(999), .seconds(-9_223_372_036) - .milliseconds(999),
    .seconds(Int64.max), most,
  ]

  @Test(
    "Extreme durations, intervals and clock readings neither trap nor give a negative remaining time",
    arguments: extremes
  )
  func extremesInEveryMixture(_ duration: Duration) {
    for interval in Self.extremes + [.seconds(1)] where interval > .zero {
      for reading in [Duration.seconds(Int64.min), .zero, .seconds(Int64.max)] {
        for behavior in Countdown.BackgroundBehavior.allCases {
          run(duration, interval, reading, behavior)
        }
      }
    }
  }

  private func run(
    _ duration: Duration,
    _ interval: Duration,
    _ reading: Duration,
    _ behavior: Countdown.BackgroundBehavior
  ) {
    let clock = ManualClock(LifecycleInstant(everyClock: reading))
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    let countdown = Countdown(duration, of: bus, tickInterval: interval, inBackground: behavior)
    let sink = countdown.states.sink { #expect($0.remaining >= .zero) }
    for other in [duration, .zero, interval, .zero - interval.clamped, Self.most, Self.least] {
      countdown.restart()
      countdown.extend(by: other)
      countdown.pause()
      countdown.extend(by: other)
      countdown.resume()
      let restored = Countdown(restoring: countdown.savedState, of: bus, inBackground: behavior)
      #expect(restored.remaining <= countdown.remaining)
      clock.advance(by: .nanoseconds(1))
      bus.send(.didEnterBackground)
      countdown.extend(by: other)
      clock.advance(by: .nanoseconds(1))
      bus.send(.didBecomeActive)
      clock.sleepDevice(for: Self.most)
      #expect(countdown.remaining >= .zero)
      #expect(clock.timerCount <= 1)
    }
    sink.cancel()
  }

  @Test("A negative duration counts as zero, and one of more than 73 years as 73 years")
  func durationOfNewCountdownIsBounded() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let longest = Duration.nanoseconds(1 << 61)
    let durations: [(Duration, Duration)] = [
      (Self.least, .zero), (.nanoseconds(-1), .zero), (.zero, .zero),
      (.nanoseconds(1), .nanoseconds(1)), (longest - .nanoseconds(1), longest - .nanoseconds(1)),
      (longest + .nanoseconds(1), longest), (Self.most, longest),
    ]
    for (duration, remaining) in durations {
      expectNoDifference(Countdown(duration, of: bus).remaining, remaining)
    }
  }

  @Test("Instants that an input brings do not lengthen a countdown, and do not trap")
  func foreignInstants() {
    for reading in [Self.least, .zero, Self.most] {
      for clockReading in [Duration.seconds(Int64.min), .seconds(3600), .seconds(Int64.max)] {
        let clock = ManualClock(LifecycleInstant([clockReading, .zero, .zero]))
        let bus = NonisolatedLifecycleBus(clock: clock)
        bus.send(.didBecomeActive)
        let instant = LifecycleInstant([reading, .zero, .zero])
        for behavior in Countdown.BackgroundBehavior.allCases {
          let countdown = Countdown(.seconds(10), of: bus, inBackground: behavior)
          countdown.start()
          bus.send(.didEnterBackground, at: instant)
          #expect(countdown.remaining <= .seconds(10))
          bus.send(.didBecomeActive, at: instant)
          #expect(countdown.remaining <= .seconds(10))
          bus.send(.didEnterBackground, at: instant)
          countdown.pause()
          countdown.resume()
          bus.send(.didBecomeActive)
          #expect(countdown.remaining <= .seconds(10))
        }
      }
    }
  }

  @Test("An interval that is not positive is reported at the caller's line, and there are no ticks")
  func intervalThatIsNotPositiveIsReported() {
    let stage = CountdownStage()
    var countdown: Countdown?
    let bus = stage.bus!
    for interval in [Duration.zero, .seconds(-1)] {
      expectReportedIssue("Pass a positive interval", line: #line + 1) {
        countdown = Countdown(.seconds(3), of: bus, tickInterval: interval)
      }
      let start = Countdown.SavedState(duration: .seconds(3), status: .idle, remaining: .zero)
      expectReportedIssue("Pass a positive interval", line: #line + 1) {
        _ = Countdown(restoring: start, of: bus, tickInterval: interval)
      }
    }
    let states = stage.record(countdown!)
    countdown!.start()
    stage.pass(3)
    expectNoDifference(states.elements, [.idle(3), .running(3), .finished])
    withExtendedLifetime(countdown) {}
  }

  @Test("A duration and an interval of less than a nanosecond count as one")
  func lessThanANanosecond() {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let shortest = Countdown(.nanoseconds(1) / 3, of: bus, tickInterval: .nanoseconds(1) / 3)
    expectNoDifference(shortest.remaining, .nanoseconds(1))
    shortest.start()
    clock.advance(by: .nanoseconds(1))
    expectNoDifference(shortest.state.status, .finished)
  }

  // MARK: Many of them

  @Test("Twenty thousand countdowns, started, reset and released in mixed order, share a timer")
  func twentyThousand() {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    let count = 20_000
    var countdowns: [Countdown?] = (0..<count).map {
      Countdown(.seconds(60 + $0 % 50), of: bus, tickInterval: nil)
    }
    let cores = stride(from: 0, to: count, by: 97).map { Weak(countdowns[$0]!.core) }
    // 7919 and the count have no common factor: each comes once.
    for number in 0..<count { countdowns[number * 7919 % count]!.start() }
    expectNoDifference(clock.timerCount, 1)
    for number in stride(from: 0, to: count, by: 3) { countdowns[number]!.reset() }
    for number in stride(from: 0, to: count, by: 3) { countdowns[number]!.start() }
    for number in stride(from: 1, to: count, by: 3) { countdowns[number]!.reset() }
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
    withExtendedLifetime(bus) {}
  }

  @Test("Extending and shortening 200 countdowns 50 times leaves at most 600 entries in the heaps")
  func alternatingExtensionsStayBounded() {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    let countdowns = (0..<200).map { _ in
      Countdown(.seconds(100), of: bus, inBackground: .finishOnTime)
    }
    for countdown in countdowns { countdown.start() }
    for isAway in [false, true] {
      if isAway { bus.send(.didEnterBackground) }
      for round in 0..<50 {
        for countdown in countdowns { countdown.extend(by: .seconds(round % 2 == 0 ? 7 : -7)) }
      }
      let entries = countdowns[0].core.queue.entryCount
      #expect(entries.ticks <= 600)
      #expect(entries.ends <= 600)
    }
    withExtendedLifetime(bus) {}
  }
}
