import LifecycleCore
import Testing

@Suite("Sleeping on the clock of a bus")
struct ClockSleepTests {
  /// A clock with timers, and the default sleep.
  private struct TimerClock: LifecycleClock {
    var now: LifecycleInstant { SystemLifecycleClock.system.now }

    func schedule(
      at deadline: ContinuousInstant,
      _ body: @escaping @Sendable () -> Void
    ) -> LifecycleCancellable {
      SystemLifecycleClock.system.schedule(at: deadline, body)
    }
  }

  private static let buses = [
    NonisolatedLifecycleBus(), NonisolatedLifecycleBus(clock: TimerClock()),
  ]

  @Test("A task sleeps until the deadline, and not at all if it has passed", arguments: buses)
  func sleeps(on bus: NonisolatedLifecycleBus) async throws {
    let start = bus.clock.continuous
    try await bus.clock.sleep(until: start)
    try await bus.clock.sleep(for: .seconds(-1))
    try await bus.clock.sleep(for: .milliseconds(20))
    let clock: any Clock<Duration> = bus.clock
    try await clock.sleep(for: .milliseconds(20))
    #expect(bus.clock.continuous - start >= .milliseconds(40))
  }

  @Test("A task that is cancelled before or in its sleep continues at once", arguments: buses)
  func isCancelled(on bus: NonisolatedLifecycleBus) async {
    let asleep = Task { try await bus.clock.sleep(for: .seconds(Int64.max)) }
    await Task.yield()
    asleep.cancel()
    await #expect(throws: CancellationError.self) { try await asleep.value }
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await bus.clock.sleep(for: .zero)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }
}
