import CustomDump
import Dispatch
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

@Suite("Main queue")
struct MainQueueTests {
  @MainActor
  @Test("The main queue is current on the main actor alone, also after an await")
  func isCurrent() async {
    for _ in 1...20 {
      #expect(MainQueue.isCurrent)
      await Task.yield()
      #expect(await awaitOtherThread { MainQueue.isCurrent } == false)
      // Having met another thread changes nothing.
      #expect(MainQueue.isCurrent)
    }
    for (queue, isMain) in [
      (DispatchQueue(label: "serial"), false), (.global(), false), (.main, true),
    ] {
      let isCurrent = await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: MainQueue.isCurrent) }
      }
      expectNoDifference(isCurrent, isMain, queue.label)
    }
  }

  @MainActor
  @Test("A closure for the main queue runs at once there, and later from another thread")
  func whatRunsOnMainActorRunsAtOnceThere() async {
    let trace = Trace()
    MainQueue.run { trace("here") }
    trace("back")
    expectNoDifference(trace.take(), ["here", "back"])
    await withCheckedContinuation { continuation in
      onOtherThread {
        MainQueue.run {
          MainActor.assertIsolated()
          trace("there")
          continuation.resume()
        }
      }
    }
    expectNoDifference(trace.lines, ["there"])
  }

  @MainActor
  @Test("A closure for the current main queue is not called on another thread")
  func closureForMainActorIsCalledThere() async throws {
    expectNoDifference(MainQueue.ifCurrent { "called" }, "called")
    let elsewhere = await awaitOtherThread { MainQueue.ifCurrent { "called" } }
    expectNoDifference(elsewhere, nil)
    #expect(throws: CancellationError.self) {
      try MainQueue.ifCurrent { throw CancellationError() }
    }
  }

  @Test(
    "The main queue is current on the same threads, whichever is asked first",
    .startsProcesses,
    arguments: ["other-first", "main-first"]
  )
  func processOfItsOwn(_ order: String) throws {
    let (status, text) = try runProgram(builtProgramPath("thread-probe"), [order])
    expectNoDifference(status, .exited(0))
    let lines = text.split(separator: "\n").map(String.init)
    let (main, other) = ("main thread: delivered", "other thread: queued")
    expectNoDifference(
      lines,
      (order == "other-first" ? [other, main, other, main] : [main, other, main, other]) + [
        "other queue: queued", "main queue: delivered", "main actor after an await: delivered",
        "other thread: queued",
      ]
    )
  }
}
