import CustomDump
import LifecycleCountdowns
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import Testing

@MainActor
private final class RentalViewModel {
  var onUpdate: (Int) -> Void = { _ in }
  private let countdown: Countdown
  var remainingSeconds: Int { Int(countdown.remaining / .seconds(1)) }

  init(seconds: Int, bus: LifecycleBus) {
    countdown = Countdown(.seconds(seconds), of: bus)
    countdown.start()
  }
}

@MainActor
private final class ResendViewModel {
  private let journal: LifecycleJournal
  private let countdown: Countdown
  var remainingSeconds: Int { Int(countdown.remaining / .seconds(1)) }

  init(journal path: String, on bus: LifecycleBus, in fileSystem: JournalFileSystem) throws {
    journal = try LifecycleJournal(at: path, of: bus, fileSystem: fileSystem)
    let saved = try journal.value(Countdown.SavedState.self, forKey: "resend")
    countdown =
      saved.map { Countdown(restoring: $0, of: bus) } ?? Countdown(.seconds(60), of: bus)
    countdown.start()
    try journal.set(countdown.savedState, forKey: "resend")
  }
}

@MainActor
private final class Screen {
  init(_ bus: LifecycleBus) {
    bus.addObserver(self) { _, _ in }
  }
}

// MARK: Expectations

@Test("Documentation: expected changes")
@MainActor
func expectationSamples() {
  let lifecycle = ScriptedLifecycle()
  let viewModel = RentalViewModel(seconds: 300, bus: lifecycle.bus)
  lifecycle.perform(.launch, .becomeActive)
  lifecycle.expect(viewModel, after: .background(for: .seconds(90))) { $0.remainingSeconds = 210 }

  lifecycle.expect(viewModel, after: .background(for: .seconds(90))) {
    $0.remainingSeconds -= 90
  }
}

@Test("Documentation: leaks")
@MainActor
func leakSamples() {
  let lifecycle = ScriptedLifecycle()
  let bus = lifecycle.bus
  var screen: Screen? = Screen(bus)
  #expect(screen != nil && bus.diagnostics.liveSubscriptions.count == 1)
  screen = nil
  expectNoLiveSubscriptions(of: bus)
  screen = Screen(bus)
  #expect(screen != nil && bus.diagnostics.liveSubscriptions.count == 1)
  screen = nil
  expectNoLiveSubscriptions(of: lifecycle)
  var viewModel: RentalViewModel? = RentalViewModel(seconds: 300, bus: bus)
  expectReleased(&viewModel, of: bus)
}

// MARK: Recorders

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
func sequenceSample(print: Printer) async throws {
  let bus = NonisolatedLifecycleBus(clock: ManualClock())
  let recorder = LifecycleRecorder(bus.phases.asyncSequence(), of: bus)
  bus.send(.didFinishLaunching)
  bus.send(.willTerminate)
  let phases = try await recorder.waitUntilEnd()  // unknown, background, terminated
  for phase in phases { print(phase) }
}

@Test("Documentation: recorders")
func recorderSamples() {
  do {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(bus.phases, of: bus)
    bus.send(.didBecomeActive)
    expectNoDifference(recorder.elements, [.unknown, .background, .inactive, .active])
  }
  let bus = NonisolatedLifecycleBus(clock: ManualClock())
  let recorder = LifecycleRecorder(bus.phases, of: bus)
  bus.send(.didBecomeActive)
  expectNoDifference(recorder.takeElements(), [.unknown, .background, .inactive, .active])
  bus.send(.willResignActive)
  expectNoDifference(recorder.takeElements(), [.inactive])
}

@MainActor
private func closureSamples(
  _ viewModel: RentalViewModel,
  _ updates: LifecycleRecorder<Int, Never>,
  _ lifecycle: ScriptedLifecycle
) {
  viewModel.onUpdate = { updates.record($0) }
  do {
    let updates = lifecycle.recorder(of: Int.self, as: "shown")
    viewModel.onUpdate = { updates.record($0) }
  }
}

// MARK: Scripts

/// A clock whose timers never fire.
private struct TimerlessClock: LifecycleClock {
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

@Test("Documentation: scripts")
@MainActor
func scriptSamples() {
  do {
    let lifecycle = ScriptedLifecycle()
    let viewModel = RentalViewModel(seconds: 300, bus: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(90)))
    #expect(viewModel.remainingSeconds == 210)
  }
  do {
    // The system does not let this process run, so that no timer fires.
    let lifecycle = ScriptedLifecycle(makeBus: { LifecycleBus(clock: TimerlessClock($0)) })
    _ = lifecycle
  }
  do {
    let visits: [LifecycleStep] = [.launch, .becomeActive, .background(for: .seconds(90))]
    _ = visits
  }
  var viewModel: ResendViewModel?
  let lifecycle = ScriptedLifecycle { process in
    viewModel = try ResendViewModel(journal: "state", on: process.bus, in: process.fileSystem)
  }
  lifecycle.perform(.launch, .becomeActive, .kill, .advance(by: .seconds(20)), .relaunch)
  #expect(viewModel?.remainingSeconds == 40)
}

// MARK: Transcripts and snapshots

@Suite("Documentation: transcripts and snapshots")
@MainActor
struct SnapshotSamples {
  @Test("The parts of a transcript are as the sample has them")
  func parts() {
    let lifecycle = ScriptedLifecycle()
    let countdown = Countdown(.seconds(60), of: lifecycle.bus)
    lifecycle.transcribe(countdown.states, as: "countdown")
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
    #expect(countdown.remaining == .seconds(59))
  }

  @Test("A lifecycle matches the snapshot in the sample")
  func inline() {
    let lifecycle = ScriptedLifecycle()
    lifecycle.perform(.launch, .becomeActive)
    expectLifecycle(
      lifecycle,
      matches: """
        launch
          [0 s background] didFinishLaunching
        becomeActive
          [0 s inactive] willEnterForeground
          [0 s active] didBecomeActive
        """
    )
  }
}

@MainActor
private func fileSnapshotSamples(seconds: Int) {
  let lifecycle = ScriptedLifecycle()
  lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(90)))
  expectLifecycle(lifecycle, matches: .file)
  expectLifecycle(lifecycle, matches: .file("away \(seconds) s"))
}
