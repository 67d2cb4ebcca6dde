import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What a thread does to an operator happens on that thread, wherever the bus delivers.
@MainActor
@Suite("Operators on the caller's thread")
struct OperatorCallerTests {
  @Test(
    "A value passes on the thread that sends it, and a cancellation on the one that cancels",
    arguments: BusKind.allCases,
    OperatorThreadTests.Form.allCases
  )
  func callersThread(_ kind: BusKind, _ form: OperatorThreadTests.Form) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let caller = Locked<ObjectIdentifier?>(nil)
    let note: @Sendable () -> Void = {
      let isCaller = caller.withLock { $0 == currentThread() }
      trace("on the caller's thread: \(isCaller)")
    }
    let upstream = ProbePublisher(trace)
    upstream.hook { hooks in hooks.cancel = { _ in note() } }
    let downstream = ProbeSubscriber(trace)
    downstream.onValue = { _ in
      note()
      return .none
    }
    form.subscribe(downstream, to: upstream, on: bus)
    _ = trace.take()
    // The main actor, where a main-actor bus delivers, is blocked here.
    onOtherThread {
      caller.withLock { $0 = currentThread() }
      upstream.send(1)
      trace("sent")
    }
    onOtherThread {
      caller.withLock { $0 = currentThread() }
      downstream.cancel()
      downstream.cancel()
      trace("cancelled")
    }
    expectNoDifference(
      trace.lines,
      [
        "1", "on the caller's thread: true", "sent",
        "cancel 1", "on the caller's thread: true", "cancelled",
      ]
    )
  }
}
