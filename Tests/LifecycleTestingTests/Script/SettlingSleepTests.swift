import CustomDump
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@Suite("Tasks that sleep on the clock of a scripted life")
@MainActor
struct SettlingSleepTests {
  private let lifecycle = ScriptedLifecycle()

  /// Who sleeps in the loop.
  enum Sleeper: CaseIterable {
    case mainActor, anyClock, repeatWhile, plainTask, detachedTask, actor
  }

  private actor Poller {
    func poll(_ clock: any LifecycleClock, _ trace: TimeTrace) async throws {
      while true {
        try await clock.sleep(for: .seconds(10))
        trace("tick")
      }
    }
  }

  private static func tick(on clock: any Clock<Duration>, _ trace: TimeTrace) async throws {
    while true {
      try await clock.sleep(for: .seconds(10))
      trace("tick")
    }
  }

  /// Begins a loop that sleeps ten seconds in each turn.
  private func begin(_ sleeper: Sleeper, _ trace: TimeTrace) -> Task<Void, any Error> {
    let bus = lifecycle.bus
    let clock = bus.clock
    return switch sleeper {
    case .mainActor:
      Task {
        while true {
          try await clock.sleep(for: .seconds(10))
          trace("tick")
        }
      }
    case .anyClock:
      Task {
        let clock: any Clock<Duration> = clock
        while true {
          try await clock.sleep(for: .seconds(10))
          trace("tick")
        }
      }
    case .repeatWhile:
      Task {
        try await bus.repeatWhile(.foreground) {
          while true {
            try await clock.sleep(for: .seconds(10))
            trace("tick")
          }
        }
      }
    case .plainTask: Task { try await Self.tick(on: clock, trace) }
    case .detachedTask: Task.detached { try await Self.tick(on: clock, trace) }
    case .actor: Task { try await Poller().poll(clock, trace) }
    }
  }

  @Test("A loop that sleeps ten seconds runs three times in thirty", arguments: Sleeper.allCases)
  func loop(_ sleeper: Sleeper) async throws {
    let trace = TimeTrace(lifecycle.clock)
    let task = begin(sleeper, trace)
    await lifecycle.perform(.launch, .becomeActive)
    // A task that leaves the main actor is on its way.
    try await lifecycle.clock.waitForSleepers()
    await lifecycle.perform(.advance(by: .seconds(30)))
    expectNoDifference(trace.take(), ["10.0 tick", "20.0 tick", "30.0 tick"])
    task.cancel()
    _ = await task.result
  }

  @Test("A task that waits for a phase, and then for a second, goes on inside the steps")
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
