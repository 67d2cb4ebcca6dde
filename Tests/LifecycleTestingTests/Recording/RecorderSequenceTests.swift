import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@Suite("Recorder: sequences and closures")
struct RecorderSequenceTests {
  @Test("A sequence of a bus is recorded from the call on, on the main actor")
  @MainActor
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func mainActor() async throws {
    let lifecycle = ScriptedLifecycle()
    let recorder = lifecycle.transcribe(lifecycle.bus.phases.asyncSequence(), as: "phase")
    expectNoDifference(recorder.elements, [])
    await lifecycle.perform(.launch, .becomeActive)
    expectNoDifference(recorder.elements.count, 4)
    var taken: [LifecyclePhase?] = []
    for _ in 0..<4 { taken.append(try await recorder.next()) }
    expectNoDifference(taken, [.unknown, .background, .inactive, .active])
    expectNoDifference(recorder.completion, nil)
    await lifecycle.perform(.terminate)
    for _ in 0..<3 { taken.append(try await recorder.next()) }
    expectNoDifference(taken.suffix(3), [.inactive, .background, .terminated])
    #expect(try await recorder.next() == nil)
    expectNoDifference(recorder.completion, .finished)
  }

  @Test("A sequence that throws completes with its own type of error")
  @MainActor
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func sequenceThatThrowsHasFailed() async throws {
    let bus = LifecycleBus(clock: ManualClock())
    let recorder: LifecycleRecorder<Int, RecordedFailure> = LifecycleRecorder(
      SentSequence([.success(1), .failure(RecordedFailure(code: 5)), .success(2)]),
      of: bus
    )
    #expect(try await recorder.next() == 1)
    await #expect(throws: RecordedFailure(code: 5)) { try await recorder.next() }
    expectNoDifference(recorder.completion, .failure(RecordedFailure(code: 5)))
    expectNoDifference(
      "\(recorder.transcript)",
      """
        [0 s unknown] 1
        [0 s unknown] failed with RecordedFailure(code: 5)
      """
    )
  }

  @Test("Cancelling or releasing a recorder ends its sequence, without recording the end")
  @MainActor
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func cancelledRecorderEndsTheSequence() async throws {
    let bus = LifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(bus.phases.asyncSequence(), of: bus)
    var released: LifecycleRecorder? = LifecycleRecorder(bus.phases.asyncSequence(), of: bus)
    _ = try await recorder.next()
    _ = try await released?.next()
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 2)
    let tasks = try [task(of: recorder), task(of: released!)]
    recorder.cancel()
    released = nil
    for task in tasks { await task.value }
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 0)
    expectNoDifference(recorder.elements, [.unknown])
    expectNoDifference(recorder.completion, nil)
    expectNoDifference(recorder.transcript.lines.count, 1)
  }

  // MARK: The phase

  @Test("After a relaunch, entries have the phase of the new process")
  @MainActor
  func phaseAfterRelaunch() {
    let lifecycle = ScriptedLifecycle()
    let recorder = lifecycle.recorder(of: Int.self, as: "number")
    let old = lifecycle.transcribe(lifecycle.bus.phases, as: "old")
    lifecycle.perform(.launch, .becomeActive)
    recorder.record(1)
    lifecycle.perform(.kill, .relaunch)
    let new = lifecycle.transcribe(lifecycle.bus.phases, as: "new")
    recorder.record(2)
    onOtherThread { recorder.record(3) }
    lifecycle.perform(.becomeActive)
    expectNoDifference(recorder.entries.map(\.phase), [.active, .background, .background])
    expectNoDifference(old.elements, [.unknown, .background, .inactive, .active])
    expectNoDifference(new.entries.map(\.phase), [.background, .inactive, .active])
    expectNoDifference(
      "\(recorder.transcript)",
      """
        [0 s active] number: 1
        [0 s background] number: 2
        [0 s background] number: 3
      """
    )
  }
  /// The task that records the sequence.
  private func task<Element, Failure>(
    of recorder: LifecycleRecorder<Element, Failure>
  ) throws -> Task<Void, Never> {
    try #require(Mirror(reflecting: recorder).descendant("task") as? Task<Void, Never>)
  }
}
