import CustomDump
import LifecycleCountdowns
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import Testing

/// Tests that record what happens, and scripts, as a user writes them.
@MainActor
struct RecorderSamples {
  /// A button that is enabled when the time is up, in this process or in one after it.
  @MainActor
  final class ResendViewModel {
    var onUpdate: (Int) -> Void = { _ in }
    var remainingSeconds: Int { Int(countdown.remaining / .seconds(1)) }

    private let journal: LifecycleJournal
    private let countdown: Countdown

    init(
      journal path: String,
      on bus: LifecycleBus,
      in fileSystem: JournalFileSystem
    ) throws {
      journal = try LifecycleJournal(at: path, of: bus, fileSystem: fileSystem)
      let record = try journal.value(Countdown.Record.self, forKey: "resend")
      countdown =
        record.map { Countdown(restoring: $0, of: bus) } ?? Countdown(.seconds(60), of: bus)
      countdown.start()
      try journal.set(countdown.record, forKey: "resend")
    }
  }

  /// A rental, and a closure that is told what is left.
  @MainActor
  final class RentalViewModel {
    var onUpdate: (Int) -> Void = { _ in }
    var remainingSeconds: Int { Int(countdown.remaining / .seconds(1)) }

    private let countdown: Countdown

    init(seconds: Int, bus: LifecycleBus) {
      countdown = Countdown(.seconds(seconds), of: bus)
      countdown.start()
      bus.addObserver(self, for: .didBecomeActive) { model, _ in
        model.onUpdate(model.remainingSeconds)
      }
    }
  }

  /// The time of another clock, with timers that never fire.
  struct TimerlessClock: LifecycleClock {
    private let clock: ManualClock

    init(_ clock: ManualClock) { self.clock = clock }

    var now: LifecycleInstant { clock.now }

    func schedule(
      at deadline: ContinuousInstant,
      _ body: @escaping @Sendable () -> Void
    ) -> LifecycleCancellable {
      LifecycleCancellable {}
    }
  }

  func publisher() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(bus.phases, of: bus)
    bus.send(.didBecomeActive)
    expectNoDifference(recorder.elements, [.unknown, .background, .inactive, .active])
  }

  func partsOfARecording() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(bus.phases, of: bus)
    bus.send(.didBecomeActive)
    expectNoDifference(recorder.takeElements(), [.unknown, .background, .inactive, .active])
    bus.send(.willResignActive)
    expectNoDifference(recorder.takeElements(), [.inactive])
  }

  func sequence() async throws -> [LifecyclePhase] {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(bus.phases.asyncSequence(), of: bus)
    bus.send(.didFinishLaunching)
    bus.send(.willTerminate)
    let phases = try await recorder.waitUntilEnd()  // unknown, background, terminated
    return phases
  }

  func closure() -> [Int] {
    let bus = LifecycleBus(clock: ManualClock())
    let viewModel = RentalViewModel(seconds: 300, bus: bus)
    let updates = LifecycleRecorder(of: Int.self, of: bus)
    viewModel.onUpdate = { updates.record($0) }
    bus.send(.didBecomeActive)
    return updates.elements
  }

  func closureOfLifecycle() -> LifecycleTranscript {
    let lifecycle = ScriptedLifecycle()
    let viewModel = RentalViewModel(seconds: 300, bus: lifecycle.bus)
    let updates = lifecycle.recorder(of: Int.self, as: "shown")
    viewModel.onUpdate = { updates.record($0) }
    lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(90)))
    return updates.transcript
  }

  func script() {
    let lifecycle = ScriptedLifecycle()
    let viewModel = RentalViewModel(seconds: 300, bus: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(90)))
    #expect(viewModel.remainingSeconds == 210)
  }

  func partsOfATranscript() {
    let lifecycle = ScriptedLifecycle()
    let countdown = Countdown(.seconds(60), of: lifecycle.bus)
    lifecycle.record(countdown.states, as: "countdown")
    lifecycle.perform(.launch, .becomeActive)
    lifecycle.takeTranscript()
    countdown.start()
    lifecycle.perform(.advance(by: .seconds(1)))
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
          [0 s active] countdown: running, 60 s
        advance(by: 1 s)
          [1 s active] countdown: running, 59 s
        """
    )
  }

  /// What remains by the countdown of a process whose timers are held up, and what it was told.
  func heldUpTimers() -> (remaining: Duration, states: Int) {
    // The system does not let this process run, so that no timer fires.
    let lifecycle = ScriptedLifecycle(makeBus: { LifecycleBus(clock: TimerlessClock($0)) })
    let countdown = Countdown(.seconds(60), of: lifecycle.bus)
    let states = lifecycle.record(countdown.states, as: "countdown")
    lifecycle.perform(.launch, .becomeActive)
    countdown.start()
    lifecycle.perform(.advance(by: .seconds(10)))
    return (countdown.remaining, states.elements.count)
  }

  func storedSteps() -> LifecyclePhase {
    let lifecycle = ScriptedLifecycle()
    let visits: [LifecycleStep] = [.launch, .becomeActive, .background(for: .seconds(90))]
    lifecycle.perform(visits)
    return lifecycle.bus.phase
  }

  /// What remains after a relaunch.
  func relaunch() -> Int? {
    var viewModel: ResendViewModel?
    let lifecycle = ScriptedLifecycle { process in
      viewModel = try ResendViewModel(journal: "state", on: process.bus, in: process.fileSystem)
    }
    lifecycle.perform(.launch, .becomeActive, .kill, .advance(by: .seconds(20)), .relaunch)
    return viewModel?.remainingSeconds
  }
}
