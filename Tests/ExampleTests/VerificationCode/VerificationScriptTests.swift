import CustomDump
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import Testing

@testable import VerificationCode

/// The resend button as a user of `LifecycleTesting` would test it: a program that is launched,
/// killed and launched again, with its journal.
@Suite("Resend view model")
@MainActor
struct VerificationScriptTests {
  /// What a launch of the program builds.
  @MainActor
  private final class Program {
    let viewModel: ResendViewModel
    let previousExit: LifecycleJournal.PreviousExit
    private let scope = LifecycleScope("program")

    init(_ process: ScriptedLifecycle) throws {
      let journal = try LifecycleJournal(
        at: "resend",
        of: process.bus,
        fileSystem: process.fileSystem
      )
      previousExit = journal.previousRun.exit
      viewModel = ResendViewModel(
        seconds: 60,
        restoring: try journal.value(forKey: "resend"),
        on: process.bus,
        store: { try? journal.set($0, forKey: "resend") }
      )
      let exits = process.recorder(of: LifecycleJournal.PreviousRun.self, as: "previous run")
      exits.record(journal.previousRun)
      let shown = process.recorder(of: String.self, as: "shown")
      viewModel.onChange = { shown.record($0.shown) }
      process.bus.addObserver(for: [.didBecomeActive], in: scope) { [viewModel] _ in
        viewModel.appear()
      }
    }
  }

  @Test("A countdown killed in the background continues at the right second")
  func killedAndLaunchedAgain() throws {
    var program: Program?
    let lifecycle = ScriptedLifecycle { program = try Program($0) }
    lifecycle.perform(
      .launch,
      .becomeActive,
      .advance(by: .milliseconds(2300)),
      .enterBackground,
      .advance(by: .seconds(10)),
      .kill,
      .advance(by: .seconds(20)),
      .relaunch,
      .becomeActive,
      .advance(by: .seconds(1))
    )
    expectLifecycle(lifecycle, matches: .file)
    expectNoDifference(program?.viewModel.remainingSeconds, 27)
    expectNoDifference(program?.viewModel.isNew, false)
  }

  @Test("A countdown survives sleep, a clock set back by an hour, and a kill")
  func everythingAtOnce() throws {
    var program: Program?
    let lifecycle = ScriptedLifecycle { program = try Program($0) }
    lifecycle.perform(.launch, .becomeActive)
    lifecycle.expect(
      try #require(program).viewModel,
      after: .enterBackground,
      .advance(by: .seconds(30)),
      .setWallClock(by: .seconds(-3600)),
      .sleepDevice(for: .seconds(60)),
      .enterForeground,
      .becomeActive
    ) {
      $0.remainingSeconds = 0
      $0.canResend = true
    }
    program?.viewModel.resend()
    lifecycle.perform(.advance(by: .seconds(5)), .kill, .advance(by: .seconds(15)), .relaunch)
    expectNoDifference(program?.previousExit, .killedInForeground)
    lifecycle.perform(.becomeActive)
    expectNoDifference(program?.viewModel.remainingSeconds, 40)
    expectLifecycle(lifecycle, matches: .file)
  }

  @Test("A released program leaves no observer")
  func nothingIsLeftBehind() throws {
    var program: Program?
    let lifecycle = ScriptedLifecycle { program = try Program($0) }
    lifecycle.perform(.launch, .becomeActive)
    expectReleased(&program, of: lifecycle.bus)
    expectNoLiveSubscriptions(of: lifecycle)
  }

  @Test("A countdown is stored at its start, at its end and when a code is sent, not at ticks")
  func storedNotAtTicks() {
    let lifecycle = ScriptedLifecycle()
    var stores = 0
    let viewModel = ResendViewModel(seconds: 3, restoring: nil, on: lifecycle.bus) { _ in
      stores += 1
    }
    lifecycle.perform(.launch, .becomeActive)
    viewModel.appear()
    lifecycle.perform(.advance(by: .milliseconds(2999)))
    expectNoDifference(stores, 1)
    lifecycle.perform(.advance(by: .milliseconds(1)))
    expectNoDifference(stores, 2)
    #expect(viewModel.canResend)
    viewModel.resend()
    expectNoDifference(stores, 3)
    #expect(!viewModel.canResend)
  }
}
