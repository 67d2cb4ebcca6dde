import CustomDump
import OpenCombineShim
import RandomTestSupport
import ReactiveLifecycle
import Testing

@testable import LifecycleTesting

/// The same steps give the same transcript, whatever a program does with them.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter RandomScript` runs that seed alone.
@Suite("Random scripts")
@MainActor
struct RandomScriptTests {
  @Test("The same steps run twice give the identical transcript")
  func twice() {
    var lines = 0
    for seed in seeds(1_000) {
      let steps = Self.steps(seed)
      let first = Self.transcript(of: steps, seed)
      let second = Self.transcript(of: steps, seed)
      lines += first.lines.count
      guard first != second else { continue }
      expectNoDifference(first, second, "LIFECYCLE_SEED=\(seed)")
      return
    }
    #expect(lines > 60 * seeds(1_000).count)
  }

  /// Possible steps, of many kinds.
  private static func steps(_ seed: UInt64) -> [LifecycleStep] {
    var random = SeededGenerator(seed: seed)
    var life = Life.unborn
    return (0..<30).map { _ in
      let possible = Life.table.filter { $0.lives[life] != nil }
      let choice = possible.randomElement(using: &random)!
      life = choice.lives[life]!
      return choice.step
    }
  }

  /// A program that counts down, debounces, answers events with events, keeps a journal, and comes and
  /// goes with its processes.
  private static func transcript(of steps: [LifecycleStep], _ seed: UInt64) -> LifecycleTranscript {
    var random = SeededGenerator(seed: seed)
    var kept: [Any] = []
    let lifecycle = ScriptedLifecycle { lifecycle in
      let bus = lifecycle.bus
      let scope = LifecycleScope("program")
      let behavior = Countdown.BackgroundBehavior.allCases.randomElement(using: &random)!
      let countdown = Countdown(.seconds(4), on: bus, inBackground: behavior)
      let times = Int.random(in: 1...4, using: &random)
      bus.addObserver(for: [.didBecomeActive], in: scope) { _ in
        countdown.start()
        for _ in 0..<times { bus.send("answer") }
      }
      bus.addObserver(for: [.didReceiveMemoryWarning], in: scope) { _ in countdown.restart() }
      let timer = lifecycle.clock.schedule(at: lifecycle.clock.continuous + .seconds(times)) {
        bus.send("timer")
      }
      kept += [scope, countdown, timer]
      kept.append(lifecycle.record(countdown.states, as: "countdown"))
      kept.append(lifecycle.record(bus.phases.settle(for: .seconds(1)), as: "settled"))
    }
    lifecycle.perform(steps)
    return withExtendedLifetime(kept) { lifecycle.transcript }
  }
}
