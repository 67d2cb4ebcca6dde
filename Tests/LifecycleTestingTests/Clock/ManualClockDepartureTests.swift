import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Tasks that leave the manual clock")
@MainActor
struct ManualClockDepartureTests {
  private let clock = ManualClock()
  private let trace: TimeTrace

  init() {
    trace = TimeTrace(clock)
  }

  @Test("A task leaves the clock while it runs on the main actor")
  func mainActor() async {
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

  private actor Busy {
    func work(_ begun: AsyncGate, until gate: ThreadGate) {
      begun.open()
      gate.wait()
    }

    func visit() {}
  }

  @Test("A task leaves the clock for an actor that has to finish other work first")
  func busyActor() async {
    let (busy, begun, gate) = (Busy(), AsyncGate(), ThreadGate())
    let work = Task.detached { await busy.work(begun, until: gate) }
    await begun.opened()
    let task = Task(executorPreference: clock) { [trace] in
      await busy.visit()
      trace("back")
    }
    clock.advance(by: .seconds(1))
    expectNoDifference(trace.take(), [])
    gate.open()
    await work.value
    let isBack = await eventually { [clock, trace] in
      clock.advance(by: .zero)
      return trace.take() == ["1.0 back"]
    }
    #expect(isBack)
    await task.value
  }

  @Test("A task leaves the clock while it awaits another clock")
  func otherClock() async throws {
    let other = ManualClock()
    let task = Task(executorPreference: clock) { [trace] in
      try await Task.sleep(for: .seconds(5), clock: other)
      trace("back")
    }
    clock.advance(by: .seconds(10))
    other.advance(by: .seconds(5))
    expectNoDifference(trace.take(), [])
    clock.advance(by: .seconds(10))
    expectNoDifference(trace.take(), ["10.0 back"])
    try await task.value
  }

  @Test("An unstructured task that a task on the clock creates does not run on the clock")
  func unstructuredTask() async {
    let task = Task(executorPreference: clock) {
      #expect(Self.isOnExecutor)
      return Task { Self.isOnExecutor }
    }
    clock.advance(by: .zero)
    // Without a move of the clock.
    let isOnExecutor = await task.value.value
    #expect(!isOnExecutor)
  }

  /// Whether the current task prefers an executor.
  nonisolated private static var isOnExecutor: Bool {
    withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil }
  }
}
