import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Concurrency: perform(when:) beside other threads")
@MainActor
struct PerformOnThreadTests {
  @Test("Called while another thread delivers, it runs after the event, though the phase is there")
  func calledDuringDeliveryElsewhere() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let trace = Trace()
    let isRunning = ThreadGate()
    let isFree = ThreadGate()
    let token = bus.addObserver(for: .didBecomeActive) { _ in
      isRunning.open()
      isFree.wait()
      trace("delivered")
    }
    async let sent: Void = awaitOtherThread { _ = bus.send(.didBecomeActive) }
    await awaitOtherThread { isRunning.wait() }
    let task = Task { try await bus.perform(when: .atLeast(.active)) { trace("ran") } }
    // The task calls, and runs the closure if it ever does so at once.
    await mainQueueToDrain()
    trace("waiting in \(bus.phase)")
    isFree.open()
    await expect(task, "returned")
    await sent
    expectNoDifference(trace.lines, ["waiting in active", "delivered", "ran"])
    token.cancel()
  }

  @Test("It runs on the thread that delivers, and returns before the delivery ends")
  func runsOnDeliveringThread() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let trace = Trace()
    let sender = Locked<ObjectIdentifier?>(nil)
    let task = Task {
      try await bus.perform(when: .atLeast(.active)) {
        let isSender = sender.withLock { $0 == currentThread() }
        trace("ran on the sender's thread: \(isSender)")
      }
    }
    await mainQueueToDrain()
    await awaitOtherThread {
      sender.withLock { $0 = currentThread() }
      bus.send(.didBecomeActive)
      trace("sent")
    }
    await expect(task, "returned")
    expectNoDifference(trace.lines, ["ran on the sender's thread: true", "sent"])
  }
}
