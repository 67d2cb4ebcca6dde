import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Recorder: sequences and closures")
struct RecorderSequenceTests {
  @Test("A sequence of a bus is recorded from the call on, on the main actor")
  @MainActor
  func mainActor() async throws {
    let lifecycle = ScriptedLifecycle()
    let recorder = lifecycle.record(lifecycle.bus.phases.asyncSequence(), as: "phase")
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
    expectLifecycle(
      lifecycle,
      matches: """
        launch
          [0 s background] didFinishLaunching
          [0 s background] phase: unknown
          [0 s background] phase: background
        becomeActive
          [0 s inactive] willEnterForeground
          [0 s active] didBecomeActive
          [0 s active] phase: inactive
          [0 s active] phase: active
        terminate
          [0 s inactive] willResignActive (synthesized)
          [0 s background] didEnterBackground (synthesized)
          [0 s terminated] willTerminate
          [0 s terminated] phase: inactive
          [0 s terminated] phase: background
          [0 s terminated] phase: terminated
          [0 s terminated] phase: completed
        """
    )
  }

  @Test("A sequence of a bus is recorded from the call on, in a nonisolated test")
  func busSequenceIsRecordedFromCallOn() async throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(bus.events.asyncSequence(), of: bus)
    bus.send(.didFinishLaunching)
    bus.send(.willTerminate)
    var kinds: [LifecycleEvent.Kind] = []
    while let event = try await recorder.next() { kinds.append(event.kind) }
    expectNoDifference(kinds, [.didFinishLaunching, .willTerminate])
    expectNoDifference(recorder.completion, .finished)
  }

  @Test("The time and the phase are those at which the sequence hands the element out")
  @MainActor
  func timeAndPhaseOfTheHandOut() async throws {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let recorder = LifecycleRecorder(bus.phases.asyncSequence(), of: bus)
    clock.advance(by: .seconds(3))
    bus.send(.didBecomeActive)
    _ = try await recorder.next()
    expectNoDifference(
      recorder.entries.first,
      .init(time: .seconds(3), phase: .active, element: .unknown)
    )
  }

  @Test("A sequence that throws has failed, with its own type of error")
  @MainActor
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

  @Test("A sequence of elements that are not Sendable is recorded on the main actor")
  @MainActor
  func nonSendable() async throws {
    let bus = LifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(
      SentSequence([.success(Box(1)), .success(Box(2))]),
      of: bus
    )
    let first = try await recorder.next()
    let second = try await recorder.next()
    expectNoDifference([first?.value, second?.value], [1, 2])
    let end = try await recorder.next()
    #expect(end == nil)
  }

  @Test("A sequence whose recorder is cancelled or released ends, which is not recorded")
  @MainActor
  func cancelledRecorderEndsTheSequence() async throws {
    let bus = LifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(bus.phases.asyncSequence(), of: bus)
    var released: LifecycleRecorder? = LifecycleRecorder(bus.phases.asyncSequence(), of: bus)
    _ = try await recorder.next()
    _ = try await released?.next()
    expectNoDifference(bus.liveSubscriptions.count, 2)
    let tasks = try [task(of: recorder), task(of: released!)]
    recorder.cancel()
    released = nil
    for task in tasks { await task.value }
    expectNoDifference(bus.liveSubscriptions.count, 0)
    expectNoDifference(recorder.elements, [.unknown])
    expectNoDifference(recorder.completion, nil)
    expectNoDifference(recorder.transcript.lines.count, 1)
  }

  @Test("A sequence that throws when its task is cancelled has not failed")
  @MainActor
  func throwsWhenCancelled() async throws {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let isOver = Locked(false)
    let recorder = LifecycleRecorder(
      AsyncThrowingStream<Int, any Error> {
        defer { isOver.withLock { $0 = true } }
        try await Task.sleep(for: .seconds(3600), clock: clock)
        return nil
      },
      of: bus
    )
    try await clock.waitForSleepers()
    let task = try task(of: recorder)
    recorder.cancel()
    await task.value
    #expect(isOver.withLock { $0 })
    #expect(recorder.completion == nil)
    expectNoDifference("\(recorder.transcript)", "")
  }

  // MARK: Closures

  @Test("Closures on other threads are recorded, each element once")
  func closuresOnOtherThreads() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(of: Int.self, of: bus)
    await awaitOtherThreads(4) { thread in
      for value in 0..<50 { recorder.record(thread * 50 + value) }
    }
    expectNoDifference(recorder.elements.sorted(), Array(0..<200))
    for thread in 0..<4 {
      let own = recorder.elements.filter { $0 / 50 == thread }
      expectNoDifference(own, Array(thread * 50..<thread * 50 + 50))
    }
    expectNoDifference(recorder.transcript.lines.count, 200)
  }

  // MARK: The phase

  @Test("The phase is the one that is being delivered, in observers too")
  @MainActor
  func phaseInObserver() {
    let lifecycle = ScriptedLifecycle()
    let recorder = lifecycle.recorder(of: String.self, as: "saw")
    let observer = lifecycle.bus.addObserver { recorder.record("\($0.kind)") }
    lifecycle.perform(.launch, .becomeActive, .advance(by: .seconds(2)), .enterBackground)
    expectNoDifference(
      recorder.entries,
      [
        .init(time: .zero, phase: .background, element: "didFinishLaunching"),
        .init(time: .zero, phase: .inactive, element: "willEnterForeground"),
        .init(time: .zero, phase: .active, element: "didBecomeActive"),
        .init(time: .seconds(2), phase: .inactive, element: "willResignActive"),
        .init(time: .seconds(2), phase: .background, element: "didEnterBackground"),
      ]
    )
    observer.cancel()
  }

  @Test("The phase is that of the process that runs, after a relaunch too")
  @MainActor
  func phaseAfterRelaunch() {
    let lifecycle = ScriptedLifecycle()
    let recorder = lifecycle.recorder(of: Int.self, as: "number")
    let old = lifecycle.record(lifecycle.bus.phases, as: "old")
    lifecycle.perform(.launch, .becomeActive)
    recorder.record(1)
    lifecycle.perform(.kill, .relaunch)
    let new = lifecycle.record(lifecycle.bus.phases, as: "new")
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
