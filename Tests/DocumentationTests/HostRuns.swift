import CustomDump
import LifecycleBackgroundWork
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("The host of the article Writing a host")
@MainActor
struct HostRuns {
  /// A clock that has another thread do something while it schedules a timer.
  private final class NosyClock: LifecycleClock {
    let clock = ManualClock()
    let look = Locked<(@Sendable () -> Void)?>(nil)

    var now: LifecycleInstant { clock.now }

    func schedule(
      at deadline: ContinuousInstant,
      _ body: @escaping @Sendable () -> Void
    ) -> LifecycleCancellable {
      if let look = look.withLock({ $0 }) { onOtherThread(look) }
      return clock.schedule(at: deadline, body)
    }
  }

  @Test("No lock is held while it schedules a timer")
  func scheduling() throws {
    let clock = NosyClock()
    let host = FixedTimeHost(time: .seconds(30), clock: clock)
    let trace = Trace()
    clock.look.withLock { look in
      look = { [weak host] in
        host?.endTask(BackgroundTaskID(rawValue: 0))
        trace("looked")
      }
    }
    let task = try #require(host.beginTask(named: "upload") {})
    expectNoDifference(trace.lines, ["looked"])
    host.endTask(task)
  }

  @Test("No lock is held while it calls a handler, and a task that this does not end has no grant")
  func handlerThatEndsNothing() async {
    let clock = ManualClock()
    let host = FixedTimeHost(time: .seconds(30), clock: clock)
    let trace = Trace()
    await withCheckedContinuation { continuation in
      _ = host.beginTask(named: "upload") { [weak host] in
        // The grant is there as long as the handler runs.
        trace("\(host?.remainingTime ?? .seconds(-1))")
        continuation.resume()
      }
      clock.advance(by: .seconds(30))
    }
    expectNoDifference(trace.lines, ["0.0 seconds"])
    expectNoDifference(host.remainingTime, .seconds(30))
  }
}
