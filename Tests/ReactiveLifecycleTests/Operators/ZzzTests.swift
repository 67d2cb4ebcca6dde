import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Zzz")
struct ZzzTests {
  @Test func leak() {
    for mode in ["cancel", "event", "released", "finished"] {
      var bus: LifecycleBus? = LifecycleBus(clock: ManualClock())
      let subject = PassthroughSubject<Int, Never>()
      weak var canary: Canary?
      var lines: [String] = []
      var token: AnyCancellable?
      do {
        let c = Canary()
        canary = c
        token = subject.prefix(
          untilOutputFrom: bus!.publisher(for: [.didEnterBackground, .willTerminate])
        )
        .sink { _ in
          lines.append("finished")
        } receiveValue: { _ in
          c.sing()
        }
      }
      bus!.send(.didBecomeActive)
      subject.send(1)
      switch mode {
      case "cancel": token!.cancel()
      case "event": bus!.send(.didEnterBackground)
      case "released": bus = nil
      default: subject.send(completion: .finished)
      }
      print(
        "ZZZ",
        mode,
        lines,
        "canary alive:",
        canary != nil,
        "live:",
        bus?.liveSubscriptions.count ?? -1
      )
      token = nil
      print(
        "ZZZ",
        mode,
        lines,
        "after token: canary alive:",
        canary != nil,
        "live:",
        bus?.liveSubscriptions.count ?? -1
      )
    }
    // a raw subscriber
    let bus = LifecycleBus(clock: ManualClock())
    let subject = PassthroughSubject<Int, Never>()
    weak var raw: RawSubscriber<Int>?
    do {
      let trace = Trace()
      let s = RawSubscriber<Int>(trace) { "\($0)" }
      raw = s
      subject.prefix(untilOutputFrom: bus.publisher(for: [.didEnterBackground]).first()).subscribe(s)
      s.cancel()
    }
    print("ZZZ raw subscriber alive after cancel:", raw != nil)
  }
}
