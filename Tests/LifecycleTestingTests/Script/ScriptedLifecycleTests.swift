import CustomDump
import LifecycleTesting
import OpenCombineShim
import ReactiveLifecycle
import Testing

@Suite("Scripted lifecycle")
@MainActor
struct ScriptedLifecycleTests {
  @Test("A visit to the background, step by step")
  func visit() async throws {
    let lifecycle = ScriptedLifecycle()
    let countdown = Countdown(.seconds(100), on: lifecycle.bus)
    let states = lifecycle.record(countdown.states.map(\.remaining), as: "remaining")
    let sequence = lifecycle.record(lifecycle.bus.phases.sequence(), as: "phase")
    lifecycle.perform(.launch, .becomeActive)
    countdown.start()
    lifecycle.perform(
      .advance(by: .seconds(1)),
      .duplicate(.didBecomeActive),
      .background(for: .seconds(90), deviceAsleep: .seconds(60))
    )

    #expect(states.elements.count == 4)

    lifecycle.perform(.kill, .launch)


  }
}
