import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@Suite("Several threads use one manual clock")
struct ManualClockThreadTests {
  private let clock = ManualClock()

  @Test("Threads that move one clock move it by the sum, and each timer fires once")
  func threadsMoveByTheSum() async {
    let (threads, rounds) = (4, 100)
    let start = clock.now
    let calls = (0..<threads * rounds).map { _ in Counter() }
    let (early, ticks) = (Counter(), Counter())
    let timers = calls.indices.map { index in
      let deadline = start.continuous + .seconds(1 + index)
      return clock.schedule(at: deadline) { [clock] in
        calls[index].add()
        if clock.continuous < deadline { early.add() }
      }
    }
    await awaitOtherThreads(threads) { [clock] thread in
      for round in 0..<rounds {
        let passing = clock.schedule(at: clock.continuous) {}
        let next = clock.scheduler.now.advanced(by: 1)
        let repetition = clock.scheduler.schedule(after: next, interval: 1) { ticks.add() }
        switch round % 3 {
        case 0: clock.advance(by: .seconds(1))
        case 1: clock.sleepDevice(for: .seconds(1))
        default: clock.stopProcess(for: .seconds(1))
        }
        clock.setWallClock(by: .seconds(1))
        passing.cancel()
        repetition.cancel()
      }
    }
    expectNoDifference(clock.elapsed, .seconds(threads * rounds))
    expectNoDifference(clock.now.timeSince1970 - start.timeSince1970, clock.elapsed * 2)
    #expect(calls.allSatisfy { $0.count == 1 })
    expectNoDifference(early.count, 0)
    expectNoDifference(clock.timerCount, 0)
    let ticksSoFar = ticks.count
    clock.advance(by: .seconds(2))
    expectNoDifference(ticks.count, ticksSoFar)
    withExtendedLifetime(timers) {}
  }

  @Test("A sleep that one thread ends and another cancels ends once")
  func wakeRacesWithCancellation() async throws {
    let woken = Counter()
    let cancelled = Counter()
    for round in 0..<500 {
      let tasks = (0..<4).map { _ in
        Task { [clock] in
          do {
            try await Task.sleep(for: .seconds(1), clock: clock)
            woken.add()
          } catch {
            cancelled.add()
          }
        }
      }
      try await clock.waitForSleepers(4)
      // The first thread is the first to run more often than not, so the two change roles.
      await awaitOtherThreads(2) { thread in
        if thread == round % 2 {
          clock.advance(by: .seconds(1))
        } else {
          for task in tasks.reversed() { task.cancel() }
        }
      }
      for task in tasks { await task.value }
    }
    let sum = woken.count + cancelled.count
    expectNoDifference(sum, 2000)
    clock.run(limit: 0)
  }
}
