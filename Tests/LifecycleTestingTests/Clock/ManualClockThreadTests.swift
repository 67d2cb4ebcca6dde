import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Several threads use one manual clock")
struct ManualClockThreadTests {
  private let clock = ManualClock()

  @Test("Threads that move one clock move it by the sum, and each timer is called once")
  func threadsMoveByTheSum() async {
    let (threads, rounds) = (4, 100)
    let start = clock.now
    let calls = (0..<threads * rounds).map { _ in Counter() }
    let early = Counter()
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
        switch round % 3 {
        case 0: clock.advance(by: .seconds(1))
        case 1: clock.sleepDevice(for: .seconds(1))
        default: clock.stopProcess(for: .seconds(1))
        }
        clock.setWallClock(by: .seconds(1))
        passing.cancel()
      }
    }
    expectNoDifference(clock.elapsed, .seconds(threads * rounds))
    expectNoDifference(clock.now.timeSince1970 - start.timeSince1970, clock.elapsed * 2)
    #expect(calls.allSatisfy { $0.count == 1 })
    expectNoDifference(early.count, 0)
    expectNoDifference(clock.timerCount, 0)
    withExtendedLifetime(timers) {}
  }

  @Test("Threads schedule actions and repetitions of one scheduler while another moves the clock")
  func scheduler() async {
    let (threads, rounds) = (4, 50)
    let actions = (0..<threads * rounds).map { _ in Counter() }
    let cancelledTicks = Counter()
    let ticks = Counter()
    let repetitions = Collector<LifecycleCancellable>()
    await awaitOtherThreads(threads + 1) { [clock] thread in
      guard thread < threads else {
        for _ in 0..<rounds { clock.advance(by: .seconds(1)) }
        return
      }
      let scheduler = clock.scheduler
      for round in 0..<rounds {
        let action = actions[thread * rounds + round]
        scheduler.schedule(after: scheduler.now.advanced(by: 2)) { action.add() }
        let first = scheduler.now.advanced(by: 1)
        if round.isMultiple(of: 2) {
          let repetition = scheduler.schedule(after: first, interval: 1) { cancelledTicks.add() }
          repetition.cancel()
        } else {
          let repetition = scheduler.schedule(after: first, interval: 1) { ticks.add() }
          if let repetition = repetition as? LifecycleCancellable { repetitions(repetition) }
        }
      }
    }
    let (ticksSoFar, cancelled) = (ticks.count, cancelledTicks.count)
    // Each action is due after at most two seconds.
    clock.advance(by: .seconds(2))
    #expect(actions.allSatisfy { $0.count == 1 })
    expectNoDifference(ticks.count - ticksSoFar, 2 * repetitions.values.count)
    expectNoDifference(cancelledTicks.count, cancelled)
    expectNoDifference(repetitions.values.count, threads * rounds / 2)
    for repetition in repetitions.values { repetition.cancel() }
    expectNoDifference(clock.timerCount, 0)
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
