import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import Testing

@testable import RentalCountdown

/// The rental screen as a user of `LifecycleTesting` would test it.
@Suite("Rental view model")
@MainActor
struct RentalScriptTests {
  /// What a rental's screen shows, in the transcript of its lifecycle.
  @MainActor
  private struct Screen {
    let viewModel: RentalViewModel
    let shown: LifecycleRecorder<String, Never>

    init(seconds: Int, _ lifecycle: ScriptedLifecycle) {
      viewModel = RentalViewModel(seconds: seconds, bus: lifecycle.bus)
      shown = lifecycle.recorder(of: String.self, as: "shown")
      viewModel.onChange = { [shown] in shown.record($0.shown) }
    }
  }

  @Test("A screen that appears three times shows each return once, and leaves no observer")
  func threeAppearancesAreToldOnceOfEachReturn() {
    let lifecycle = ScriptedLifecycle()
    var screen: Screen? = Screen(seconds: 300, lifecycle)
    lifecycle.perform(.launch, .becomeActive)
    for _ in 1...3 {
      screen?.viewModel.appear()
      lifecycle.perform(
        .enterBackground,
        .duplicate(.didEnterBackground),
        .advance(by: .seconds(7)),
        .enterForeground,
        .becomeActive,
        .duplicate(.didBecomeActive)
      )
      screen?.viewModel.disappear()
    }
    expectLifecycle(lifecycle, matches: .file)
    screen = nil
    expectNoLiveSubscriptions(of: lifecycle)
  }

  @Test("An end in the background is shown once, on the return")
  func endPassesInTheBackground() {
    let lifecycle = ScriptedLifecycle()
    let screen = Screen(seconds: 60, lifecycle)
    lifecycle.perform(.launch, .becomeActive)
    screen.viewModel.appear()
    lifecycle.perform(.advance(by: .milliseconds(1500)), .resignActive, .becomeActive)
    lifecycle.expect(
      screen.viewModel,
      after: .background(for: .seconds(90), deviceAsleep: .seconds(60)),
      .setWallClock(by: .seconds(-3600))
    ) {
      $0.remainingSeconds = 0
      $0.isFinished = true
    }
    lifecycle.perform(.background(for: .seconds(1)))
    expectLifecycle(lifecycle, matches: .file)
    expectNoDifference(screen.shown.elements.count { $0 == "finished" }, 1)
  }

  @Test("The remaining time is rounded up, and changes on its whole seconds")
  func remainingTimeIsRoundedUp() {
    let lifecycle = ScriptedLifecycle()
    let screen = Screen(seconds: 3, lifecycle)
    lifecycle.perform(.launch, .becomeActive, .advance(by: .milliseconds(250)))
    screen.viewModel.appear()
    lifecycle.perform(.advance(by: .milliseconds(749)))
    expectNoDifference(screen.shown.takeElements(), ["3 s"])
    lifecycle.perform(.advance(by: .milliseconds(1)))
    expectNoDifference(screen.shown.takeElements(), ["2 s"])
    // As a quotient of durations, this one is more than 2,363.
    expectNoDifference(Screen(seconds: 2_363, lifecycle).viewModel.remainingSeconds, 2_363)
  }

  @Test("A screen that appears in the background shows nothing before the foreground")
  func appearsInBackground() {
    let lifecycle = ScriptedLifecycle()
    let screen = Screen(seconds: 300, lifecycle)
    lifecycle.perform(.launch)
    screen.viewModel.appear()
    lifecycle.perform(.advance(by: .seconds(10)))
    expectNoDifference(screen.shown.elements, [])
    lifecycle.perform(.becomeActive)
    expectNoDifference(screen.shown.elements, ["290 s"])
  }
}
