import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Those who come late, and those who never go.
@MainActor
@Suite("Pitfalls: joining and leaving")
struct JoiningPitfallTests {
  @Test("A late subscriber that wants to know (jenzz/RxAppState#1)")
  func wantsReplay() {
    let byHand = PassthroughSubject<LifecycleEvent.Kind, Never>()
    byHand.send(.didBecomeActive)
    let heardByHand = Trace()
    let sink = byHand.sink { heardByHand("\($0)") }
    expectNoDifference(heardByHand.lines, [])
    sink.cancel()

    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    let heard = Trace()
    let token = bus.addObserver(catchUp: .currentPhase) { heard("\($0.kind) \($0.origin)") }
    expectNoDifference(heard.lines, ["didBecomeActive catchUp"])
    token.cancel()
  }

  @Test("A late subscriber that does not want what has passed (kotlinx.coroutines#4201)")
  func wantsNoReplay() {
    // A lock screen for each return from the background.
    let byHand = CurrentValueSubject<LifecycleEvent.Kind?, Never>(nil)
    byHand.send(.willEnterForeground)
    let locksByHand = Trace()
    let sink = byHand.filter { $0 == .willEnterForeground }.sink { _ in locksByHand("locked") }
    // The user opens a screen, and is locked out at once.
    expectNoDifference(locksByHand.lines, ["locked"])
    sink.cancel()

    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.willEnterForeground)
    let locks = Trace()
    let token = bus.addObserver(for: [.willEnterForeground]) { _ in locks("locked") }
    expectNoDifference(locks.lines, [])
    bus.send(.didEnterBackground)
    bus.send(.willEnterForeground)
    expectNoDifference(locks.lines, ["locked"])
    token.cancel()
  }

  /// A view model that keeps its own subscription, and uses itself in it.
  private final class ByHand {
    var subscription: AnyCancellable?
    var saved = 0

    func observe(_ subject: PassthroughSubject<LifecycleEvent.Kind, Never>) {
      subscription = subject.sink { _ in self.saved += 1 }
    }
  }

  private final class Careful {
    var saved = 0

    @MainActor func observe(_ bus: LifecycleBus) {
      bus.addObserver(self) { model, _ in model.saved += 1 }
    }
  }

  @Test("A view model that observes and is never released (WordPress-iOS#20994)")
  func viewModelThatObservesAndIsNeverReleased() {
    let subject = PassthroughSubject<LifecycleEvent.Kind, Never>()
    var byHand: ByHand? = ByHand()
    weak let leaked = byHand
    byHand?.observe(subject)
    byHand = nil
    #expect(leaked != nil)
    subject.send(.didEnterBackground)
    expectNoDifference(leaked?.saved, 1)
    leaked?.subscription = nil

    let bus = LifecycleBus(clock: ManualClock())
    var careful: Careful? = Careful()
    weak let released = careful
    careful?.observe(bus)
    bus.send(.didEnterBackground)
    expectNoDifference(careful?.saved, 3)
    careful = nil
    #expect(released == nil)
    bus.send(.didBecomeActive)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  private struct Failure: Error {}

  @Test("An observer that throws and silences all the others")
  func throwingObserver() {
    // By hand: what can throw stands in the pipeline that everybody shares.
    let subject = PassthroughSubject<LifecycleEvent.Kind, Never>()
    let savedByHand = Trace()
    let shared = subject.tryMap { kind in
      if kind == .didEnterBackground { throw Failure() }
      return kind
    }.share()
    var sinks: Set<AnyCancellable> = []
    for name in ["disk", "network"] {
      shared.sink(
        receiveCompletion: { _ in savedByHand("\(name) ended") },
        receiveValue: { savedByHand("\(name) \($0)") }
      ).store(in: &sinks)
    }
    let reports: [LifecycleEvent.Kind] = [.didEnterBackground, .didBecomeActive]
    for kind in reports { subject.send(kind) }
    expectNoDifference(savedByHand.lines.sorted(), ["disk ended", "network ended"])

    // Each has a subscription of its own; whose pipeline fails leaves, and nobody else.
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    let saved = Trace()
    bus.publisher(for: [.didEnterBackground, .didBecomeActive])
      .tryMap { event in
        if event.kind == .didEnterBackground { throw Failure() }
        return event
      }
      .sink(
        receiveCompletion: { _ in saved("disk ended") },
        receiveValue: { saved("disk \($0.kind)") }
      )
      .store(in: &sinks)
    bus.publisher(for: [.didEnterBackground, .didBecomeActive])
      .sink { saved("network \($0.kind)") }
      .store(in: &sinks)
    for kind in reports { bus.send(kind) }
    expectNoDifference(
      saved.lines,
      ["network didEnterBackground", "disk ended", "network didBecomeActive"]
    )
    expectNoDifference(bus.liveSubscriptions.count, 1)
  }

  @Test("What an observer sends overtakes what it was sent for")
  func nestedSend() {
    let byHand = PassthroughSubject<Int, Never>()
    let heardByHand = Trace()
    let sender = UncheckedBox<String>()
    var sinks: Set<AnyCancellable> = []
    for name in ["A", "B"] {
      byHand.sink { number in
        // Whoever is called first sends the next number; a subject does not promise who that is.
        if number == 1, sender.value == nil {
          sender.value = name
          byHand.send(2)
        }
        heardByHand("\(name) \(number)")
      }.store(in: &sinks)
    }
    byHand.send(1)
    let other = sender.value == "A" ? "B" : "A"
    expectNoDifference(
      heardByHand.lines.filter { $0.hasPrefix(other) },
      ["\(other) 2", "\(other) 1"]
    )

    let bus = LifecycleBus(clock: ManualClock())
    let heard = Trace()
    let tokens = ["A", "B"].map { name in
      bus.addObserver { [unowned bus] event in
        if name == "A", event.kind == .didFinishLaunching { bus.send(.willEnterForeground) }
        heard("\(name) \(event.shortLine)")
      }
    }
    bus.send(.didFinishLaunching)
    expectNoDifference(
      heard.lines,
      [
        "A 1 didFinishLaunching", "B 1 didFinishLaunching",
        "A 2 willEnterForeground", "B 2 willEnterForeground",
      ]
    )
    for token in tokens { token.cancel() }
  }
}
