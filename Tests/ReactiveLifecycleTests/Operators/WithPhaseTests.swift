import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("With phase")
struct WithPhaseTests {
  @Test("Each value with the phase of its moment, also after the end, which keeps no bus alive")
  func eachValueHasPhaseOfItsMoment() {
    var bus: LifecycleBus? = LifecycleBus(clock: ManualClock())
    weak let weakBus = bus
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let token = upstream.withPhase(of: bus!).sink { @Sendable in
      trace($0 == .finished ? "finished" : "failed")
    } receiveValue: { @Sendable pair in
      trace("\(pair.value.number) \(pair.phase)")
    }
    let observer = bus!.addObserver(for: [.didBecomeActive]) { _ in _ = upstream.send(1) }
    bus!.send(.didBecomeActive)
    onOtherThread { _ = upstream.send(2) }
    bus!.send(.willTerminate)
    observer.cancel()
    bus = nil
    #expect(weakBus == nil)
    upstream.send(3)
    upstream.send(completion: .failure(.broken))
    expectNoDifference(
      trace.lines,
      ["subscribe 1", "ask unlimited", "1 active", "2 active", "3 terminated", "failed"]
    )
    token.cancel()
  }
}
