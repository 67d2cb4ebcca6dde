import CustomDump
import Dispatch
import Foundation
import JobControl
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("The main queue")
struct MainQueueTests {
  @MainActor
  @Test("It is current on the main actor, after an await, too, and on no other thread or queue")
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
  @Test("What runs on the main actor runs at once there, and later from another thread")
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
  @Test("A closure for the main actor is called there, and not on another thread")
  func closureForMainActorIsCalledThere() async throws {
    expectNoDifference(MainQueue.ifCurrent { "called" }, "called")
    let elsewhere = await awaitOtherThread { MainQueue.ifCurrent { "called" } }
    expectNoDifference(elsewhere, nil)
    #expect(throws: CancellationError.self) {
      try MainQueue.ifCurrent { throw CancellationError() }
    }
  }

  @Test(
    "A process that asks in any order is told the same",
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
