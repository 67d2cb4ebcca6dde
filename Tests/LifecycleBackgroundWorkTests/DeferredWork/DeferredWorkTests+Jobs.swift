import CustomDump
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// How long a job takes, and how long it is held.
extension DeferredWorkTests {
  @Test("The time that the device slept is part of a job's duration", arguments: BusKind.allCases)
  func durationIncludesSleep(_ kind: BusKind) {
    let stage = DeferredWorkStage(kind)
    stage.enqueue("a", 5)
    stage.wake()
    stage.move(2)
    stage.clock.sleepDevice(for: .seconds(10))
    stage.run()
    expectNoDifference(stage.take(), ["a begins", "a finished 12 s"])
  }

  @Test("What a job holds is released when the job is finished", arguments: BusKind.allCases)
  func finishedJobIsReleased(_ kind: BusKind) {
    let stage = DeferredWorkStage(kind)
    let released = Trace()
    stage.queue?.enqueue("a") { [clock = stage.clock, canary = Canary { released("released") }] in
      try await Task.sleep(for: .seconds(2), clock: clock)
      canary.sing()
    }
    stage.wake()
    stage.move(1)
    expectNoDifference(released.lines, [])
    stage.move(1)
    expectNoDifference(stage.take(), ["a finished 2 s"])
    expectNoDifference(released.lines, ["released"])
  }

  @Test("A job that refers to its queue keeps it alive until the job is finished")
  func jobKeepsItsQueueAlive() {
    let stage = DeferredWorkStage()
    let weak = Weak(stage.queue!)
    stage.queue?.enqueue("a") { [queue = stage.queue!] in _ = queue.pendingJobs }
    stage.release()
    #expect(weak.isAlive)
    stage.wake()
    expectNoDifference(stage.take(), ["a finished 0 s"])
    #expect(!weak.isAlive)
  }
}
