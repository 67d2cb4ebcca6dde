import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Recorder: publishers")
struct RecorderTests {
  @Test("A recorder without a script notes the phases, the time since it was made, and the end")
  func recorderWithoutScript() {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    clock.advance(by: .seconds(50))
    let recorder = LifecycleRecorder(bus.phases, of: bus)
    let ones = LifecycleRecorder(bus.phases.map { _ in 1 }, of: bus)
    clock.advance(by: .seconds(2))
    bus.send(.didFinishLaunching)
    clock.advance(by: .milliseconds(500))
    bus.send(.willTerminate)
    expectNoDifference(
      recorder.entries,
      [
        .init(time: .zero, phase: .unknown, element: .unknown),
        .init(time: .seconds(2), phase: .background, element: .background),
        .init(time: .milliseconds(2500), phase: .terminated, element: .terminated),
      ]
    )
    expectNoDifference(recorder.completion, .finished)
    expectNoDifference(
      "\(ones.transcript)",
      """
        [0 s unknown] 1
        [2 s background] 1
        [2.5 s terminated] 1
        [2.5 s terminated] completed
      """
    )
  }

  @Test("Times are exact in entries, and rounded in transcripts")
  func timesAreExactInEntries() {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let recorder = LifecycleRecorder(of: Int.self, of: bus, style: .init(precision: .seconds(1)))
    clock.advance(by: .milliseconds(1900))
    recorder.record(5)
    expectNoDifference(recorder.entries.map(\.time), [.milliseconds(1900)])
    expectNoDifference("\(recorder.transcript)", "  [1 s unknown] 5")
  }

  @Test("A failure is recorded with its type")
  func failureIsRecordedWithItsType() {
    let publisher = RoguePublisher()
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(publisher, of: bus)
    publisher.send(1)
    expectNoDifference(recorder.completion, nil)
    publisher.finish(.failure(RecordedFailure(code: 4)))
    expectNoDifference(recorder.completion, .failure(RecordedFailure(code: 4)))
    expectNoDifference(
      "\(recorder.transcript)",
      """
        [0 s unknown] 1
        [0 s unknown] failed with RecordedFailure(code: 4)
      """
    )
  }

  @Test("An entry is dumped with its time as text")
  func entryIsDumpedWithItsTime() {
    let entry = LifecycleRecorder<Int, Never>.Entry(
      time: .milliseconds(1500),
      phase: .active,
      element: 2
    )
    expectNoDifference(
      String(customDumping: entry),
      """
      LifecycleRecorder.Entry(
        time: 1.5 s,
        phase: .active,
        element: 2
      )
      """
    )
  }

  // MARK: Demand

  @Test("Everything is requested unless something else is asked for")
  func everythingIsRequestedByDefault() {
    let publisher = RoguePublisher()
    let recorder = LifecycleRecorder(publisher, of: NonisolatedLifecycleBus())
    expectNoDifference(publisher.asked, ["request unlimited"])
    recorder.cancel()
  }

  @Test("With a limited demand the values come as they are requested")
  func limitedDemandBringsValuesAsRequested() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    checkDemand(of: LifecycleRecorder(bus.events.map(\.kind), of: bus, demand: .max(1)), bus)
    let lifecycle = NonisolatedScriptedLifecycle()
    let events = lifecycle.bus.events.map(\.kind)
    checkDemand(of: lifecycle.record(events, as: "event", demand: .max(1)), lifecycle.bus)
  }

  /// Checks a recorder with a demand of one event.
  private func checkDemand(
    of recorder: LifecycleRecorder<LifecycleEvent.Kind, Never>,
    _ bus: NonisolatedLifecycleBus
  ) {
    bus.send(.didFinishLaunching)
    bus.send(.didBecomeActive)
    expectNoDifference(recorder.elements, [.didFinishLaunching])
    recorder.request(.max(1))
    expectNoDifference(recorder.elements, [.didFinishLaunching, .willEnterForeground])
    recorder.request(.unlimited)
    expectNoDifference(
      recorder.elements,
      [.didFinishLaunching, .willEnterForeground, .didBecomeActive]
    )
  }

  @Test("Nothing is requested with a demand of none, nor by a request of it")
  func noDemandRequestsNothing() {
    let publisher = RoguePublisher()
    let recorder = LifecycleRecorder(publisher, of: NonisolatedLifecycleBus(), demand: .none)
    recorder.request(.none)
    expectNoDifference(publisher.asked, [])
    recorder.request(.max(3))
    expectNoDifference(publisher.asked, ["request max(3)"])
  }

  @Test("What is requested before the subscription comes is asked of it then")
  func earlyRequest() {
    let publisher = RoguePublisher()
    publisher.onSubscribe = { _ in }
    let recorder = LifecycleRecorder(publisher, of: NonisolatedLifecycleBus(), demand: .max(1))
    recorder.request(.max(2))
    expectNoDifference(publisher.asked, [])
    publisher.subscribe()
    expectNoDifference(publisher.asked, ["request max(3)"])
    for value in 1...3 { publisher.send(value) }
    expectNoDifference(recorder.elements, [1, 2, 3])
  }

  @Test("A publisher may send from inside the request, and a recorder may request inside a value")
  func nestedRequest() {
    let publisher = RoguePublisher()
    let sent = Locked(0)
    publisher.onRequest = { publisher in
      let value = sent.withLock { sent in
        sent += 1
        return sent
      }
      publisher.send(value)
    }
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(publisher, of: bus, demand: .max(1))
    recorder.request(.max(1))
    expectNoDifference(recorder.elements, [1, 2])
  }
}
