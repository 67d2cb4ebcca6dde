import CustomDump
import LifecycleCountdowns
import ReactiveLifecycle
import TestSupport
import Testing

/// Random scripts in virtual time: after each step every countdown stands as its oracle says, has told
/// what that says, and there is a timer exactly if something is due.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter Countdown` runs that seed alone.
@Suite("Countdown: random scripts")
@MainActor
struct CountdownRandomTests {
  @Test("Random scripts of several countdowns agree with a model of a deadline and an amount")
  func randomScripts() {
    var failures = 0
    var steps: [String: Int] = [:]
    for seed in seeds(600) where failures < 3 {
      let script = CountdownScript(seed: seed)
      for _ in 0..<40 {
        let step = script.step()
        steps[step, default: 0] += 1
        let (real, expected) = script.compare()
        guard real != expected else { continue }
        failures += 1
        expectNoDifference(
          real,
          expected,
          "LIFECYCLE_SEED=\(seed), after\n\(script.log.joined(separator: "\n"))"
        )
        break
      }
      script.end()
    }
    guard seeds(600).count > 1, failures == 0 else { return }
    // The scripts are worth their time only if each kind of step is taken often.
    for (step, count) in steps { #expect(count > 200, "\(step) hardly ever happens") }
    expectNoDifference(steps.count, 13)
  }
}
