import CustomDump
import Dispatch
import LifecycleTesting
import ReactiveLifecycle
import Synchronization
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

  private final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .sequentiallyConsistent) }
    func add() { value.add(1, ordering: .relaxed) }
  }

  // MARK: On the clock as executor

  @Test("One move is enough for a task that sleeps several times, each at the right time")
  func oneMove() {
    let task = Task(executorPreference: clock) { try await sleepThrice() }
    clock.advance(by: .seconds(3))
    expectNoDifference(trace.take(), ["1.0 awake", "2.0 awake", "3.0 awake"])
    withExtendedLifetime(task) {}
  }

  @Test(
    "A task begins at the next move, one by nothing included, and its value can be awaited then"
  )
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

  @Test("Children, groups and actors stay on the clock")
  func children() {
    actor Counter {
      var count = 0
      func add() { count += 1 }
    }
    let task = Task(executorPreference: clock) { [self] in
      let counter = Counter()
      async let child: Void = sleepThrice(" child")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 1...2 {
          group.addTask {
            try await Task.sleep(for: .seconds(1), clock: clock)
            await counter.add()
            trace("group \(index)")
          }
        }
        try await group.waitForAll()
      }
      try await child
      trace("\(await counter.count)")
    }
    clock.advance(by: .seconds(5))
    let lines = trace.take()
    expectNoDifference(lines.first?.prefix(3), "1.0")
    expectNoDifference(
      lines.sorted(),
      [
        "1.0 awake child", "1.0 group 1", "1.0 group 2", "2.0 awake child", "3.0 2",
        "3.0 awake child",
      ]
    )
    withExtendedLifetime(task) {}
  }

  @Test(
    "Sleepers and timers with one deadline come in order of scheduling, whole pieces of tasks each"
  )
  func order() {
    var timers: [LifecycleTimer] = []
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

  @Test("A task on the clock may move the clock")
  func movesFromInside() {
    let other = Task(executorPreference: clock) { try await sleepThrice() }
    let mover = Task(executorPreference: clock) { [clock, trace] in
      trace("moves")
      Self.advance(clock)
      trace("has moved")
    }
    clock.advance(by: .seconds(1))
    expectNoDifference(
      trace.take(),
      ["0.0 moves", "1.0 awake", "2.0 awake", "2.0 has moved", "3.0 awake"]
    )
    withExtendedLifetime((other, mover)) {}
  }

  private static func advance(_ clock: ManualClock) {
    clock.advance(by: .seconds(2))
  }

  @Test("Cancelling a task on the clock is noticed at the next move")
  func cancelOnClock() {
    let task = Task(executorPreference: clock) { [clock, trace] in
      do {
        try await Task.sleep(for: .seconds(5), clock: clock)
      } catch {
        trace("\(type(of: error))")
      }
    }
    clock.advance(by: .seconds(1))
    task.cancel()
    expectNoDifference(trace.take(), [])
    clock.advance(by: .seconds(1))
    expectNoDifference(trace.take(), ["1.0 CancellationError"])
    expectNoDifference(clock.timerCount, 0)
  }

  @Test("The times that tasks on the clock see are right 10,000 times over")
  func manyTasks() {
    for round in 0..<1000 {
      let clock = ManualClock()
      let trace = TimeTrace(clock)
      for task in 0..<10 {
        Task(executorPreference: clock) {
          for _ in 1...3 {
            try await Task.sleep(for: .seconds(1), clock: clock)
            trace("\(task)")
          }
        }
      }
      clock.advance(by: .seconds(3))
      let expected = (1...3).flatMap { second in (0..<10).map { "\(second).0 \($0)" } }
      let lines = trace.take()
      if lines != expected {
        return expectNoDifference(lines, expected, "round \(round)")
      }
    }
  }

  @Test("Threads that move one clock run each task to its end, once")
  func threads() async throws {
    let ends = Counter()
    let tasks = (0..<100).map { _ in
      Task(executorPreference: clock) { [clock] in
        let start = clock.now
        for second in 1...10 {
          let deadline = start.advanced(by: .seconds(second))
          try await Task.sleep(until: deadline, clock: clock)
          if clock.now < deadline { Issue.record("A task woke too early.") }
        }
        ends.add()
      }
    }
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<100 { clock.advance(by: .seconds(1)) }
    }
    clock.run()
    for task in tasks { try await task.value }
    expectNoDifference(ends.count, 100)
  }

  // MARK: Elsewhere

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

  @Test("A sleep is cancelled at once, and leaves nothing on the clock")
  func cancelled() async throws {
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
  func passed() async throws {
    try await clock.sleep(until: clock.now)
    try await clock.sleep(until: clock.now.advanced(by: .seconds(-1)), tolerance: .seconds(1))
    try await Task.sleep(for: .seconds(-1), clock: clock)
    clock.run()
    expectNoDifference(clock.elapsed, .zero)
  }

  @Test("Of a wake and a cancellation on two threads one wins, once")
  func race() async {
    let woken = Counter()
    let cancelled = Counter()
    for _ in 0..<500 {
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
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          clock.advance(by: .seconds(1))
        } else {
          for task in tasks { task.cancel() }
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
  func release() async throws {
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
  func measure() {
    let time = clock.measure { clock.advance(by: .seconds(5)) }
    expectNoDifference(time, .seconds(5))
    expectNoDifference(clock.minimumResolution.attoseconds, 1)
  }
}

@Suite("Arithmetic of instants")
struct LifecycleInstantTests {
  @Test("An instant moves on all three clocks, and is compared on the continuous one first")
  func arithmetic() {
    func instant(_ continuous: Int, _ suspending: Int, _ wall: Int) -> LifecycleInstant {
      LifecycleInstant(
        continuous: .seconds(continuous),
        suspending: .seconds(suspending),
        wall: .seconds(wall)
      )
    }
    expectNoDifference(instant(1, 2, 3).advanced(by: .seconds(5)), instant(6, 7, 8))
    expectNoDifference(instant(1, 2, 3).advanced(by: .seconds(-5)), instant(-4, -3, -2))
    expectNoDifference(instant(1, 2, 3).duration(to: instant(5, 0, 0)), .seconds(4))
    let ascending = [
      instant(1, 1, 1), instant(1, 1, 2), instant(1, 2, 0), instant(1, 2, 1), instant(2, 0, 0),
    ]
    for (i, lhs) in ascending.enumerated() {
      for (j, rhs) in ascending.enumerated() {
        expectNoDifference(lhs < rhs, i < j)
        expectNoDifference(lhs == rhs, i == j)
      }
    }
  }

  @Test("No instant and no difference overflows")
  func overflow() {
    let ends = [Duration(attoseconds: .min), .zero, Duration(attoseconds: .max)]
    let limit = Duration.seconds(Int64.max)
    for reading in ends {
      let instant = LifecycleInstant(continuous: reading, suspending: reading, wall: reading)
      for other in ends {
        let moved = instant.advanced(by: other)
        #expect((.zero - limit...limit).contains(moved.continuous))
        #expect((.zero - limit...limit).contains(moved.suspending))
        #expect((.zero - limit...limit).contains(moved.wall))
        let duration = instant.duration(
          to: LifecycleInstant(continuous: other, suspending: other, wall: other)
        )
        #expect((.zero - limit - limit...limit + limit).contains(duration))
      }
    }
  }
}
