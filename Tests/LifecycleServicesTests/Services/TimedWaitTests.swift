#if Services
  import LifecycleSupport
  import LifecycleTesting
  import ReactiveLifecycle
  import TestSupport
  import Testing

  @testable import LifecycleServices

  @Suite("Waits up to a deadline")
  struct TimedWaitTests {
    @Test("Time for which the process is frozen does not count", arguments: [true, false])
    func frozen(isInTime: Bool) async {
      let clock = ManualClock()
      let started = AsyncGate()
      let completion = Locked<(@Sendable () -> Void)?>(nil)
      let task = Task {
        await TimedWait(clock, .seconds(8)).wait { complete in
          completion.withLock { $0 = complete }
          started.open()
        }
      }
      await started.opened()
      clock.stopProcess(for: .seconds(60))
      clock.advance(by: .seconds(isInTime ? 7 : 8))
      completion.withLock { $0 }?()
      #expect(await task.value == !isInTime)
    }
  }
#endif
