import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import TestSupport
import Testing

@testable import LifecycleTesting

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
    expectLifecycle(
      ones,
      matches: """
          [0 s unknown] 1
          [2 s background] 1
          [2.5 s terminated] 1
          [2.5 s terminated] completed
        """
    )
  }

  // MARK: Demand

  @Test("A recorder with a limited demand receives values as it requests them")
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

  @Test("The default demand is unlimited, and a demand of none requests nothing")
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

  @Test("A request before the subscription arrives is made when it does")
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

  @Test("A cancelled recorder cancels its subscription once, and ignores later values")
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

  @Test("A recorder that is cancelled before its subscription arrives cancels it")
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

  @Test("A subscription that has completed is not cancelled")
  func cancelAfterCompletion() {
    let publisher = RoguePublisher()
    var recorder: LifecycleRecorder? = LifecycleRecorder(publisher, of: NonisolatedLifecycleBus())
    publisher.finish()
    recorder?.cancel()
    recorder = nil
    expectNoDifference(publisher.asked, ["request unlimited"])
  }

  @Test("A recorder that one thread cancels while others record stops, and cancels once")
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

  @Test("A released recorder cancels its subscription, and leaves no cycle")
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

  @Test("A recorder does not keep its bus alive, and records its end")
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
