import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Duty cycle: threads")
struct DutyCycleThreadTests {
  @Test("Values, phases, time and expiry from four threads: one task and one upstream at most")
  func everythingAtOnce() async {
    let stage = DutyCycleStage(.nonisolated, DutyCycle(burst: 2, rest: .seconds(1)))
    let (upstream, bus, clock, tasks) = (stage.upstream, stage.bus, stage.clock, stage.tasks)
    let live = Count()
    let breaches = Count()
    upstream.hook { hooks in
      hooks.subscribe = { _ in if live.add(1) > 1 { breaches.add(1) } }
      hooks.cancel = { _ in live.add(-1) }
    }
    // The first subscription was made before the hooks.
    stage.bus.send(.didEnterBackground)
    stage.send(1, 2)
    await awaitOtherThreads(4) { worker in
      for round in 1...400 {
        switch worker {
        case 0: upstream.send(round)
        case 1: bus.send(round.isMultiple(of: 2) ? .didBecomeActive : .didEnterBackground)
        case 2: clock.advance(by: .milliseconds(500))
        default: if tasks.grantedTasks.count > 1 { breaches.add(1) }
        }
      }
    }
    expectNoDifference(breaches.value, 0)
    stage.downstream.cancel()
    expectNoDifference(live.value, 0)
    #expect(tasks.grantedTasks.isEmpty)
    stage.host.expectNoOpenTasks()
    #expect(!stage.take().contains { $0.contains("inside of another call") })
  }

  @Test("Downstream cancels on one thread while the rest begins on another")
  func cancelWhileRestBegins() async {
    for _ in 1...200 {
      let stage = DutyCycleStage(.nonisolated, DutyCycle(burst: 1, rest: .seconds(1)))
      stage.bus.send(.didEnterBackground)
      let (upstream, downstream) = (stage.upstream, stage.downstream)
      await awaitOtherThreads(2) { worker in
        if worker == 0 { upstream.send(1) } else { downstream.cancel() }
      }
      #expect(stage.tasks.grantedTasks.isEmpty)
      expectNoDifference(stage.upstream.liveCount, 0)
      expectNoDifference(stage.clock.timerCount, 0)
    }
  }

  @Test(
    "A cancellation ends upstream on the thread that cancels, and once",
    arguments: BusKind.allCases
  )
  func cancelledOnCallersThread(_ kind: BusKind) {
    let caller = Locked<ObjectIdentifier?>(nil)
    let stage = DutyCycleStage(kind) { stage in
      stage.upstream.hook { [trace = stage.trace] hooks in
        hooks.cancel = { _ in
          trace("on the caller's thread: \(caller.withLock { $0 == currentThread() })")
        }
      }
      stage.bus.send(.didBecomeActive)
    }
    let downstream = stage.downstream
    // The main actor, where a main-actor bus delivers, is blocked here.
    onOtherThread {
      caller.withLock { $0 = currentThread() }
      downstream.cancel()
      downstream.cancel()
    }
    expectNoDifference(stage.take(), ["cancel 1", "on the caller's thread: true"])
  }

  @Test(
    "A cancellation ends the rest on the thread that cancels",
    arguments: BusKind.allCases
  )
  func restCancelledOnCallersThread(_ kind: BusKind) {
    let stage = DutyCycleStage(kind, DutyCycle(burst: 1, rest: .seconds(1)))
    stage.bus.send(.didEnterBackground)
    stage.send(1)
    let (tasks, clock, downstream) = (stage.tasks, stage.clock, stage.downstream)
    expectNoDifference(tasks.grantedTasks.count, 1)
    _ = stage.take()
    onOtherThread {
      downstream.cancel()
      downstream.cancel()
    }
    #expect(tasks.grantedTasks.isEmpty)
    expectNoDifference(clock.timerCount, 0)
    expectNoDifference(stage.take(), [])
    stage.host.expectNoOpenTasks()
  }
}

/// A number that several threads change.
final class Count: Sendable {
  private let number = Locked(0)

  var value: Int { number.withLock { $0 } }

  @discardableResult
  func add(_ change: Int) -> Int {
    number.withLock { number in
      number += change
      return number
    }
  }
}
