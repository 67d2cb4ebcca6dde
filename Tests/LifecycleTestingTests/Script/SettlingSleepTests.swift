import CustomDump
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@Suite("Tasks that sleep on the clock of a scripted life")
@MainActor
struct SettlingSleepTests {
  private let lifecycle = ScriptedLifecycle()

  enum Place: CaseIterable {
    case mainActor, repeatWhile, anyClock, noActor, otherActor
  }

  private actor Poller {
    func poll(_ clock: any LifecycleClock, _ trace: TimeTrace) async throws {
      try await tick(trace) { try await clock.sleep(for: .seconds(10)) }
    }
  }

  @Test("A loop that sleeps ten seconds runs three times in thirty", arguments: Place.allCases)
  func loop(_ place: Place) async throws {
    let (bus, trace) = (lifecycle.bus, TimeTrace(lifecycle.clock))
    let (clock, anyClock) = (bus.clock, bus.clock as any Clock<Duration>)
    let task = Task {
      switch place {
      case .mainActor: try await tick(trace) { try await clock.sleep(for: .seconds(10)) }
      case .repeatWhile:
        try await bus.repeatWhile(.foreground) {
          try await tick(trace) { try await clock.sleep(for: .seconds(10)) }
        }
      case .anyClock: try await tick(trace) { try await anyClock.sleep(for: .seconds(10)) }
      case .noActor:
        try await Task.detached {
          try await tick(trace) { try await clock.sleep(for: .seconds(10)) }
        }.value
      case .otherActor: try await Poller().poll(clock, trace)
      }
    }
    await lifecycle.perform(.launch, .becomeActive)
    // A task that leaves the main actor is on its way.
    try await lifecycle.clock.waitForSleepers()
    await lifecycle.perform(.advance(by: .seconds(30)))
    expectNoDifference(trace.take(), ["10.0 tick", "20.0 tick", "30.0 tick"])
    task.cancel()
  }

  @Test("A task that waits for a phase, and then for a second, continues inside the steps")
  func phaseThenSleep() async throws {
    let (bus, trace) = (lifecycle.bus, TimeTrace(lifecycle.clock))
    let task = Task {
      try await bus.waitUntil(.active)
      trace("active")
      try await bus.clock.sleep(for: .seconds(1))
      trace("in the \(bus.phase)")
    }
    await lifecycle.perform(.launch, .becomeActive)
    expectNoDifference(trace.take(), ["0.0 active"])
    await lifecycle.perform(.background(for: .seconds(2)))
    expectNoDifference(trace.take(), ["1.0 in the background"])
    try await task.value
  }
}

/// Sleeps, and writes down when it wakes, on the caller's actor.
private nonisolated(nonsending) func tick(
  _ trace: TimeTrace,
  sleep: nonisolated(nonsending) () async throws -> Void
) async throws {
  while true {
    try await sleep()
    trace("tick")
  }
}
