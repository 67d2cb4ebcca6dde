import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Synchronization
import TestSupport
import Testing

@Suite("Tasks that sleep on the manual clock")
struct ManualClockTaskTests {
  private let clock = ManualClock()
  private let trace: TimeTrace

  init() {
    trace = TimeTrace(clock)
  }

  /// Sleeps on the clock in steps of a second.
  private func sleepThrice(_ name: String = "") async throws {
    for _ in 1...3 {
      try await Task.sleep(for: .seconds(1), clock: clock)
      trace("awake\(name)")
    }
  }

  @Test("A task on the main actor is followed from sleep to sleep")
  @MainActor
  func mainActor() async throws {
    for _ in 0..<100 {
      let task = Task { @MainActor in
        MainActor.assertIsolated()
        try await sleepThrice()
        return 5
      }
      for second in 1...3 {
        try await clock.waitForSleepers()
        expectNoDifference(trace.take().count, second == 1 ? 0 : 1)
        clock.advance(by: .seconds(1))
      }
      let value = try await task.value
      expectNoDifference(value, 5)
      expectNoDifference(trace.take().count, 1)
    }
  }

  @Test("Waiting ends when as many tasks sleep, and those that were woken don't count")
  func waitForSleepers() async throws {
    try await clock.waitForSleepers(0)
    let tasks = (1...3).map { second in
      Task { [clock] in try await Task.sleep(for: .seconds(second), clock: clock) }
    }
    try await clock.waitForSleepers(3)
    expectNoDifference(clock.timerCount, 0)
    clock.advance(by: .seconds(1))
    let waiter = Task { [clock, trace] in
      do {
        try await clock.waitForSleepers(3)
        trace("three sleep")
      } catch {
        trace("\(type(of: error))")
      }
    }
    try await clock.waitForSleepers(2)
    expectNoDifference(trace.take(), [])
    let fourth = Task { [clock] in try await Task.sleep(for: .seconds(9), clock: clock) }
    await waiter.value
    expectNoDifference(trace.take(), ["1.0 three sleep"])
    clock.run()
    for task in tasks { try await task.value }
    try await fourth.value
  }

  @Test("Waiting for sleepers ends with an error when it is cancelled, also when it was before")
  func cancelledWait() async {
    let waiting = Task { [clock] in try await clock.waitForSleepers() }
    let cancelled = Task { [clock] in
      while !Task.isCancelled { await Task.yield() }
      try await clock.waitForSleepers(0)
    }
    waiting.cancel()
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  @Test("A task that waits for sleepers is cancelled while it waits")
  func cancelledWhileWaiting() async {
    let task = Task(executorPreference: clock) { [clock, trace] in
      trace("waits")
      do {
        try await clock.waitForSleepers()
      } catch {
        trace("\(type(of: error))")
      }
    }
    // Runs the task until it waits.
    clock.advance(by: .zero)
    expectNoDifference(trace.take(), ["0.0 waits"])
    task.cancel()
    clock.advance(by: .zero)
    await task.value
    expectNoDifference(trace.take(), ["0.0 CancellationError"])
  }

  @Test("A sleep is cancelled at once, and leaves nothing on the clock")
  func cancelledSleepEndsAtOnce() async throws {
    let asleep = Task { [clock] in try await Task.sleep(for: .seconds(1), clock: clock) }
    try await clock.waitForSleepers()
    asleep.cancel()
    await #expect(throws: CancellationError.self) { try await asleep.value }
    clock.run()
    expectNoDifference(clock.elapsed, .zero)
    // What follows the cancellation is scheduled as late as can be: never.
    let before = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
    }
    await #expect(throws: CancellationError.self) { try await before.value }
    let passed = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(until: clock.now)
    }
    await #expect(throws: CancellationError.self) { try await passed.value }
    clock.run()
    expectNoDifference(clock.elapsed, .zero)
  }

  @Test("A deadline that has passed does not suspend")
  func passedDeadlineDoesNotSuspend() async throws {
    try await clock.sleep(until: clock.now)
    try await clock.sleep(until: clock.now.advanced(by: .seconds(-1)), tolerance: .seconds(1))
    try await Task.sleep(for: .seconds(-1), clock: clock)
    clock.run()
    expectNoDifference(clock.elapsed, .zero)
  }

  @Test("Of a wake and a cancellation on two threads one wins, once")
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
    let sum =
      woken.count
      + cancelled.count
    expectNoDifference(sum, 2000)
    clock.run(limit: 0)
  }

  @Test("A task that sleeps holds the clock until it is woken or cancelled")
  func sleepingTaskHoldsTheClock() async throws {
    weak var weakClock: ManualClock?
    var tasks: [Task<Void, any Error>] = []
    do {
      let clock = ManualClock()
      weakClock = clock
      tasks.append(Task { try await Task.sleep(for: .seconds(1), clock: clock) })
      try await clock.waitForSleepers()
    }
    #expect(weakClock != nil)
    tasks[0].cancel()
    _ = await tasks[0].result
    tasks = []
    #expect(weakClock == nil)
  }

  @Test("A task that prefers the clock as its executor holds the clock until it ends")
  func releaseOfExecutor() {
    weak var weakClock: ManualClock?
    let ran = Locked(false)
    do {
      let clock = ManualClock()
      weakClock = clock
      Task(executorPreference: clock) { ran.withLock { $0 = true } }
    }
    #expect(weakClock != nil)
    weakClock?.advance(by: .zero)
    #expect(ran.withLock { $0 })
    #expect(weakClock == nil)
  }

  @Test("The clock is one of Swift's, and measures virtual time")
  func measuresVirtualTime() {
    let time = clock.measure { clock.advance(by: .seconds(5)) }
    expectNoDifference(time, .seconds(5))
    expectNoDifference(clock.minimumResolution.attoseconds, 1)
  }
}
