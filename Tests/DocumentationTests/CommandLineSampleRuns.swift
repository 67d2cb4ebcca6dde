import CustomDump
import Foundation
import LifecycleJournaling
import LifecycleSystem
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Documentation samples of a command-line program run")
struct CommandLineSampleRuns {
  private let clock = ManualClock()
  private let samples: CommandLineSamples

  init() {
    samples = CommandLineSamples(
      bus: NonisolatedLifecycleBus(clock: clock),
      scope: LifecycleScope("program")
    )
    samples.bus.send(.didBecomeActive)
  }

  @Test("Connecting reports the phase that the process is in")
  func connectingReportsPhase() throws {
    let phases: [LifecyclePhase] = [.active, .background]
    #expect(phases.contains(try samples.connect()))
  }

  @Test("The end removes the partial file")
  func endRemovesPartialFile() {
    samples.leaveNothingHalfDone()
    samples.bus.send(.willTerminate)
    expectNoDifference(samples.part.calls, 1)
  }

  @Test("The loop ends with the bus, and without a signal nothing is awaited")
  func loopEndsWithBus() async {
    let main = Task { await samples.endWithSignal() }
    while samples.part.calls == 0 {
      samples.bus.send(.didReceiveMemoryWarning)
      await Task.yield()
    }
    samples.bus.send(.willTerminate)
    await main.value
  }

  @Test("The work is done under a background task")
  func workIsDone() async throws {
    try await samples.finishWork()
    expectNoDifference(samples.part.calls, 1)
  }

  @Test("Unsaved changes cancel an exit, saved ones do not")
  func unsavedChangesCancelExit() async throws {
    let editor = CommandLineSamples.Editor()
    let connection = try samples.askBeforeEnd(editor)
    defer { connection.cancel() }
    #expect(await samples.bus.requestExit().isCancelled)
    await editor.save()
    #expect(await !samples.bus.requestExit().isCancelled)
  }

  @Test("A return redraws, a long one also refreshes")
  func returnRedraws() {
    let prices = CommandLineSamples.Part()
    samples.continueAfterStop(prices)
    for seconds in [30, 90] {
      samples.bus.send(.didEnterBackground)
      clock.advance(by: .seconds(seconds))
      samples.bus.send(.didBecomeActive)
    }
    expectNoDifference(samples.part.calls, 2)
    expectNoDifference(prices.calls, 1)
  }

  @Test("The spinner stops in the background and continues in the foreground")
  func spinnerStopsInBackground() async throws {
    let spinner = Task { try await samples.doLessInBackground() }
    for calls in 1...2 {
      while samples.part.calls < calls { await Task.yield() }
      samples.bus.send(.didEnterBackground)
      samples.bus.send(.didBecomeActive)
    }
    while samples.part.calls < 3 { await Task.yield() }
    samples.bus.send(.willTerminate)
    try await spinner.value
  }

  @Test("A request reloads the settings")
  func requestReloadsSettings() throws {
    let connection = try samples.chooseSignals()
    defer { connection.cancel() }
    samples.bus.send(.reloadRequest)
    expectNoDifference(samples.part.calls, 1)
  }

  @Test("What the machine has is connected, also if that is nothing")
  func machineIsConnected() throws {
    try samples.noticeMachine()
    let other = LifecycleScope()
    let entries = try NonisolatedLifecycleBus().connectSystem(in: other).entries
    other.end()
    let connected = samples.bus.diagnostics.participants.flatMap(\.sources).map(\.origin)
    expectNoDifference(connected, [.manual] + entries.map { .source($0.source) })
  }

  @Test("The second run knows how the first one ended")
  func secondRunKnowsFirst() throws {
    let directory = TemporaryDirectory()
    let path = directory.path("journal")
    #expect(try samples.knowPreviousRun(path) == .firstLaunch)
    #expect(try samples.knowPreviousRun(path) == .killedInForeground)
  }
}
