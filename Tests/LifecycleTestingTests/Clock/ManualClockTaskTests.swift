import CustomDump
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@Suite("Tasks on the manual clock")
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

  @Test("The clock is one of Swift's, and measures virtual time")
  func measuresVirtualTime() {
    let time = clock.measure { clock.advance(by: .seconds(5)) }
    expectNoDifference(time, .seconds(5))
    expectNoDifference(clock.minimumResolution, .nanoseconds(1))
  }

  // MARK: Tasks that run elsewhere

  @Test("waitForSleepers returns when that many tasks sleep, without those that were woken")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func waitForSleepers() async throws {
    try await clock.waitForSleepers(0)
    let tasks = (1...3).map { second in
      Task { [clock] in try await Task.sleep(for: .seconds(second), clock: clock) }
    }
    try await clock.waitForSleepers(3)
    expectNoDifference(clock.timerCount, 0)
    clock.advance(by: .seconds(1))
    let waiter = Task(executorPreference: clock) { [clock, trace] in
      try await clock.waitForSleepers(3)
      trace("three sleep")
    }
    // Runs the task until it waits.
    clock.advance(by: .zero)
    try #require(trace.take().isEmpty)
    let fourth = Task { [clock] in try await Task.sleep(for: .seconds(9), clock: clock) }
    try await clock.waitForSleepers(3)
    clock.advance(by: .zero)
    expectNoDifference(trace.take(), ["1.0 three sleep"])
    try await waiter.value
    clock.run()
    for task in tasks { try await task.value }
    try await fourth.value
  }

  @Test("A task that waits for sleepers is cancelled while it waits")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
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
    for seconds in [0, 1] {
      let cancelled = Task { [clock] in
        withUnsafeCurrentTask { $0?.cancel() }
        try await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)))
      }
      await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
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

  // MARK: Tasks that prefer the clock as their executor

  @Test("One move is enough for a task that sleeps several times, each at the right time")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func oneMove() {
    let task = Task(executorPreference: clock) {
      try await sleepThrice()
      try await Task.sleep(for: .seconds(1), tolerance: .seconds(1), clock: clock)
      trace("awake with a tolerance")
    }
    clock.advance(by: .seconds(4))
    expectNoDifference(
      trace.take(),
      ["1.0 awake", "2.0 awake", "3.0 awake", "4.0 awake with a tolerance"]
    )
    withExtendedLifetime(task) {}
  }

  @Test(
    "A task on the clock begins at the next move, even by zero"
  )
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func nextMove() async {
    let task = Task(executorPreference: clock) { [trace] in
      trace("begins")
      await Task.yield()
      trace("goes on")
      return 5
    }
    expectNoDifference(trace.take(), [])
    clock.advance(by: .zero)
    expectNoDifference(trace.take(), ["0.0 begins", "0.0 goes on"])
    let value = await task.value
    expectNoDifference(value, 5)
  }

  @Test(
    "Sleepers and timers with equal deadlines run in order of scheduling"
  )
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func equalDeadlinesKeepTheOrderOfScheduling() {
    var timers: [LifecycleCancellable] = []
    func sleep(_ name: String) {
      Task(executorPreference: clock) { [clock, trace] in
        try await Task.sleep(for: .seconds(1), clock: clock)
        trace("\(name) begins")
        await Task.yield()
        trace("\(name) ends")
      }
      clock.advance(by: .zero)
    }
    func schedule(_ name: String) {
      timers.append(
        clock.schedule(at: clock.continuous + .seconds(1)) { [trace] in trace(name) }
      )
    }
    sleep("first task")
    schedule("first timer")
    sleep("second task")
    schedule("second timer")
    clock.advance(by: .seconds(1))
    expectNoDifference(
      trace.take(),
      [
        "1.0 first task begins", "1.0 first task ends", "1.0 first timer",
        "1.0 second task begins", "1.0 second task ends", "1.0 second timer",
      ]
    )
    withExtendedLifetime(timers) {}
  }

  @Test("A task that prefers the clock as its executor holds the clock until it ends")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
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

  @Test("A task leaves the clock while it runs on the main actor")
  @MainActor
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func leavesForTheMainActor() async {
    let task = Task(executorPreference: clock) { [trace] in
      await MainActor.run { trace("on the main actor") }
      trace("back")
    }
    clock.advance(by: .seconds(1))
    expectNoDifference(trace.take(), [])
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["1.0 on the main actor"])
    clock.advance(by: .seconds(1))
    expectNoDifference(trace.take(), ["1.0 back"])
    await task.value
  }
}
