import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Recorder: cancelling and release")
struct RecorderLifetimeTests {
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

  @Test("Cancelled inside a value, it has that value and no more")
  func cancelInsideValue() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    nonisolated(unsafe) var recorder: LifecycleRecorder<LifecycleEvent.Kind, Never>?
    recorder = LifecycleRecorder(
      bus.events.map(\.kind).handleEvents(receiveOutput: {
        if $0 == .didFinishLaunching { recorder?.cancel() }
      }),
      of: bus
    )
    let later = LifecycleRecorder(bus.events.map(\.kind), of: bus)
    bus.send(.didFinishLaunching)
    bus.send(.didBecomeActive)
    expectNoDifference(recorder?.elements, [])
    expectNoDifference(later.elements.count, 3)
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

  @Test("Released while it records a bus, it is gone")
  func releasedOnBus() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    weak var core: AnyObject?
    do {
      let recorder = LifecycleRecorder(bus.events, of: bus)
      core = Mirror(reflecting: recorder).descendant("core") as AnyObject
      bus.send(.didBecomeActive)
      expectNoDifference(bus.liveSubscriptions.count, 1)
      expectNoDifference(recorder.elements.count, 3)
    }
    #expect(core == nil)
    expectNoDifference(bus.liveSubscriptions.count, 0)
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

  @Test("It does not keep its publisher alive, nor elements longer than itself")
  func publisherReleased() {
    weak var released: RoguePublisher?
    weak var element: LifetimeProbe?
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    do {
      let publisher = RoguePublisher()
      released = publisher
      publisher.onSubscribe = { _ in }
      let recorder = LifecycleRecorder(publisher, of: bus)
      let elements = LifecycleRecorder(of: LifetimeProbe.self, of: bus)
      let probe = LifetimeProbe()
      element = probe
      elements.record(probe)
      publisher.drop()
      #expect(elements.elements.count == 1 && recorder.elements.isEmpty)
    }
    #expect(released == nil)
    #expect(element == nil)
  }
}
