import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleCountdowns
import LifecycleJournaling
import LifecycleTesting
import TestSupport
import Testing

/// The same steps give the same transcript, whatever a program does with them.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter RandomScript` runs that seed alone.
@Suite("Random scripts")
@MainActor
struct RandomScriptTests {
  @Test("The same random steps give the same transcript twice")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func sameStepsGiveTheSameTranscript() {
    for seed in seeds(100) {
      let steps = Self.steps(seed)
      let first = Self.transcript(of: steps, seed)
      let second = Self.transcript(of: steps, seed)
      guard first == second else {
        expectNoDifference(first, second, "LIFECYCLE_SEED=\(seed)")
        return
      }
    }
  }

  @Test("A random script has the committed transcript in every process", arguments: [1] as [UInt64])
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func everyProcess(_ seed: UInt64) {
    expectLifecycle(Self.transcript(of: Self.steps(seed), seed), matches: .file("seed \(seed)"))
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

  /// A program that counts down, settles, debounces, sleeps, answers events with events, keeps a journal,
  /// and comes and goes with its processes.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private static func transcript(of steps: [LifecycleStep], _ seed: UInt64) -> LifecycleTranscript {
    var random = SeededGenerator(seed: seed)
    let lifecycle = ScriptedLifecycle { lifecycle in
      let (bus, clock) = (lifecycle.bus, lifecycle.clock)
      let scope = LifecycleScope("program")
      let notes = lifecycle.recorder(of: String.self, as: "note")
      let journal = try LifecycleJournal(
        at: "state",
        of: bus,
        fileSystem: lifecycle.fileSystem
      )
      notes.record("\(journal.previousRun.exit)")
      let behavior = Countdown.BackgroundBehavior.allCases.randomElement(using: &random)!
      let countdown = Countdown(.seconds(4), of: bus, inBackground: behavior)
      let times = Int.random(in: 1...4, using: &random)
      bus.addObserver(for: [.didBecomeActive], in: scope) { _ in
        countdown.start()
        for _ in 0..<times { bus.send("answer") }
      }
      bus.addObserver(for: [.didReceiveMemoryWarning], in: scope) { _ in countdown.restart() }
      let timer = clock.schedule(at: clock.continuous + .seconds(times)) { notes.record("timer") }
      Task(executorPreference: clock) {
        for number in 0..<times {
          try await Task.sleep(for: .milliseconds(900), clock: clock)
          notes.record("slept \(number)")
        }
      }
      let debounced = bus.events.debounce(for: .seconds(1), scheduler: clock.scheduler)
      lifecycle.keep([
        scope, journal, countdown, timer,
        lifecycle.transcribe(countdown.states, as: "countdown"),
        lifecycle.transcribe(bus.phases.settle(for: .seconds(1)), as: "settled"),
        lifecycle.transcribe(debounced, as: "debounced"),
      ])
    }
    lifecycle.perform(steps)
    lifecycle.clock.run()
    return lifecycle.transcript
  }
}
