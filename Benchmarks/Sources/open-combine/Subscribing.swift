import BenchmarkSupport
import LifecycleCombine
import ReactiveLifecycle

/// Observers added and cancelled.
func addSubscribingRows(to program: PeerProgram) {
  program.addSubscribing("passthrough-sink") { slots, cancelled in
    let subject = PassthroughSubject<LifecycleEvent, Never>()
    let sinks = slots.map { slot in subject.sink { _ in slot.increment() } }
    return SubscribingFixture(keeping: sinks) { count in
      send(count, to: subject)
    } subscribeAndCancel: { count in
      for _ in 0..<count {
        let sink = subject.sink { _ in cancelled.increment() }
        sink.cancel()
      }
    }
  }
}
