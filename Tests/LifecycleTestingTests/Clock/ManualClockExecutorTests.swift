import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import Synchronization
import TestSupport
import Testing

@Suite("Tasks that prefer the manual clock as their executor")
struct ManualClockExecutorTests {
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

  @Test("One move is enough for a task that sleeps several times, each at the right time")
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
  func childrenGroupsAndActorsStayOnClock() {
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
  func threadsRunEachTaskOnce() async throws {
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
    await awaitOtherThreads(4) { _ in
      for _ in 0..<100 { clock.advance(by: .seconds(1)) }
    }
    clock.run()
    for task in tasks { try await task.value }
    expectNoDifference(ends.count, 100)
  }
}
