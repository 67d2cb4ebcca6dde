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

  @Test(
    "The thread that calls downstream delivers what another one sends meanwhile, after its call",
    arguments: BusKind.allCases,
    OperatorThreadTests.Form.allCases
  )
  func sentDuringCall(_ kind: BusKind, _ form: OperatorThreadTests.Form) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let thread = currentThread()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    downstream.onValue = { [unowned upstream] number in
      trace("on the first thread: \(currentThread() == thread)")
      if number == 1 {
        onOtherThread { [unowned upstream] in
          upstream.send(2)
          trace("sent")
        }
        trace("end of 1")
      }
      return .none
    }
    form.subscribe(downstream, to: upstream, on: bus)
    _ = trace.take()
    upstream.send(1)
    expectNoDifference(
      trace.take(),
      ["1", "on the first thread: true", "sent", "end of 1", "2", "on the first thread: true"]
    )
    downstream.cancel()
  }
}
