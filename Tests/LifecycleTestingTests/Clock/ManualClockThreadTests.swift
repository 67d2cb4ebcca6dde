import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Several threads use one manual clock")
struct ManualClockThreadTests {
  private let clock = ManualClock()

  @Test("Threads that run a clock and advance it to an instant call each timer once, none early")
  func runAndAdvanceTo() async {
    let seconds = 400
    let end = clock.now.advanced(by: .seconds(seconds))
    let calls = (0..<seconds).map { _ in Counter() }
    let early = Counter()
    let timers = calls.indices.map { index in
      let deadline = clock.continuous + .seconds(index + 1)
      return clock.schedule(at: deadline) { [clock] in
        calls[index].add()
        if clock.continuous < deadline { early.add() }
      }
    }
    await awaitOtherThreads(4) { [clock] thread in
      if thread.isMultiple(of: 2) { clock.run() } else { clock.advance(to: end) }
    }
    expectNoDifference(clock.now, end)
    #expect(calls.allSatisfy { $0.count == 1 })
    expectNoDifference(early.count, 0)
    expectNoDifference(clock.timerCount, 0)
    withExtendedLifetime(timers) {}
  }

  @Test("Threads that advance a clock and restart its device call each timer at most once")
  func restarts() async {
    let (threads, rounds) = (4, 100)
    let calls = (0..<threads * rounds).map { _ in Counter() }
    let kept = Collector<LifecycleCancellable>()
    await awaitOtherThreads(threads) { [clock] thread in
      for round in 0..<rounds {
        let call = calls[thread * rounds + round]
        kept(clock.schedule(at: clock.continuous + .seconds(round % 3)) { call.add() })
        if round.isMultiple(of: 2) {
          clock.advance(by: .seconds(1))
        } else {
          clock.restartDevice(for: .seconds(1))
        }
      }
    }
    clock.restartDevice(for: .zero)
    #expect(calls.allSatisfy { $0.count <= 1 })
    expectNoDifference(clock.timerCount, 0)
    expectNoDifference(clock.elapsed, .seconds(threads * rounds))
    // The first boot has no number.
    let boots = 1 + threads * rounds / 2 + 1
    expectNoDifference(clock.bootID, BootID(rawValue: "manual-\(boots)"))
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
}
