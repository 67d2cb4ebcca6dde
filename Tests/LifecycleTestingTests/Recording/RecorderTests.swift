import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Recorder")
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
    let recorder = LifecycleRecorder(PassthroughSubject<Int, Never>(), of: bus)
    clock.advance(by: .milliseconds(1900))
    recorder.record(5)
    expectNoDifference(recorder.entries.map(\.time), [.milliseconds(1900)])
    expectNoDifference("\(recorder.transcript)", "  [1.9 s unknown] 5")
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

  // MARK: Demand

  @Test("With a limited demand the values come as they are requested")
  func limitedDemandBringsValuesAsRequested() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(bus.events.map(\.kind), of: bus, demand: .max(1))
    bus.send(.didFinishLaunching)
    bus.send(.didBecomeActive)
    bus.send(.didReceiveMemoryWarning)
    expectNoDifference(recorder.elements, [.didFinishLaunching])
    recorder.request(.max(1))
    expectNoDifference(recorder.elements.suffix(1), [.willEnterForeground])
    recorder.request(.unlimited)
    expectNoDifference(recorder.elements.suffix(2), [.didBecomeActive, .didReceiveMemoryWarning])
  }

  @Test("Everything is requested by default, and nothing with a demand of none")
  func defaultAndNoDemand() {
    let publisher = RoguePublisher()
    let all = LifecycleRecorder(publisher, of: NonisolatedLifecycleBus())
    expectNoDifference(publisher.asked, ["request unlimited"])
    all.cancel()
    let recorder = LifecycleRecorder(publisher, of: NonisolatedLifecycleBus(), demand: .none)
    recorder.request(.none)
    expectNoDifference(publisher.asked, ["request unlimited", "cancel"])
    recorder.request(.max(3))
    expectNoDifference(publisher.asked.last, "request max(3)")
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

  // MARK: Cancelling

  @Test("Cancelled, it cancels the subscription once, and ignores what comes without a complaint")
  func cancelsSubscriptionOnce() {
    let publisher = RoguePublisher()
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = LifecycleRecorder(publisher, of: bus, demand: .max(1))
    publisher.send(1)
    recorder.cancel()
    recorder.cancel()
    publisher.send(2)
    publisher.finish()
    publisher.finish()
    publisher.send(3)
    recorder.record(4)
    recorder.request(.max(1))
    expectNoDifference(publisher.asked, ["request max(1)", "cancel"])
    expectNoDifference(recorder.elements, [1])
    expectNoDifference(recorder.completion, nil)
    expectNoDifference("\(recorder.transcript)", "  [0 s unknown] 1")
  }

  @Test("Cancelled before the subscription comes, it refuses it without a complaint")
  func cancelBefore() {
    let publisher = RoguePublisher()
    publisher.onSubscribe = { _ in }
    let recorder = LifecycleRecorder(publisher, of: NonisolatedLifecycleBus())
    recorder.cancel()
    publisher.subscribe(as: "first: ")
    publisher.subscribe(as: "second: ")
    publisher.send(1)
    expectNoDifference(publisher.asked, ["first: cancel", "second: cancel"])
    expectNoDifference(recorder.elements, [])
  }

  @Test("After the completion, the subscription is not cancelled any more")
  func cancelAfterCompletion() {
    let publisher = RoguePublisher()
    var recorder: LifecycleRecorder? = LifecycleRecorder(publisher, of: NonisolatedLifecycleBus())
    publisher.finish()
    recorder?.cancel()
    recorder = nil
    expectNoDifference(publisher.asked, ["request unlimited"])
  }

  @Test("Cancelled by a thread while others bring values, it stops, and cancels once")
  func cancelOnOtherThread() async {
    for _ in 0..<50 {
      let publisher = RoguePublisher()
      let bus = NonisolatedLifecycleBus(clock: ManualClock())
      let recorder = LifecycleRecorder(publisher, of: bus)
      await awaitOtherThreads(4) { index in
        if index == 0 { return recorder.cancel() }
        for value in 0..<20 { recorder.record(value) }
      }
      let count = recorder.elements.count
      recorder.record(1)
      expectNoDifference(recorder.elements.count, count)
      expectNoDifference(publisher.asked, ["request unlimited", "cancel"])
    }
  }

  // MARK: Lifetimes

  @Test("Released, it cancels, and leaves no cycle")
  func releaseCancels() {
    let publisher = RoguePublisher()
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    weak var core: AnyObject?
    do {
      let recorder = LifecycleRecorder(publisher, of: bus)
      core = Mirror(reflecting: recorder).descendant("core") as AnyObject
      #expect(core != nil)
    }
    expectNoDifference(publisher.asked, ["request unlimited", "cancel"])
    #expect(core != nil)
    publisher.drop()
    #expect(core == nil)
  }

  @Test("It does not keep its bus alive, and notes its end")
  func busReleased() {
    weak var released: NonisolatedLifecycleBus?
    var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: ManualClock())
    released = bus
    let recorder = LifecycleRecorder(bus!.phases, of: bus!)
    bus = nil
    #expect(released == nil)
    expectNoDifference(recorder.completion, .finished)
    recorder.record(.active)
    expectNoDifference(recorder.entries.last?.phase, .terminated)
  }
}
