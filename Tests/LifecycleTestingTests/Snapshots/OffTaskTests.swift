import CustomDump
import Foundation
import JobControl
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// Failures of threads that belong to no test. Swift Testing says nothing about them to the test that
/// waits for the thread, so that the whole run is looked at, from outside.
@Suite(
  "Failures outside of the test",
  .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "needs /proc"),
  .startsProcesses
)
struct OffTaskTests {
  @Test("Each expectation on another thread fails the run, with its line")
  func expectationsOnAnotherThreadFailTheRun() throws {
    let (status, text) = try runAlone("expectationsOnAnotherThread")
    expectNoDifference(status, .exited(1))
    for message in [
      "No transcript is expected yet.", "OffTaskTests.swift:\(OffTaskChild.expectationLine):",
      "1 subscription of the bus is still live:", "There is no OffTaskModel to release:",
      "OffTaskModel was not released:", "The closure states no change:",
      "The manual clock can't be moved by", "The step becomeActive is impossible:",
    ] {
      #expect(text.contains(message), "\(message)\n\(text)")
    }
  }

  @Test("A pending failure fails the run when its last owner is released on another thread")
  func keptFailureFailsTheRun() throws {
    let (status, text) = try runAlone("releaseOnAnotherThread")
    expectNoDifference(status, .exited(1))
    #expect(
      text.contains("a failure\n  \n  (This failure was reported outside the test.)"),
      "\(text)"
    )
  }

  /// Runs one of the tests below in a process of its own.
  private func runAlone(_ test: String) throws -> (status: JobStatus, text: String) {
    try runProgram(
      "/usr/bin/env",
      ["\(childVariable)=1", currentExecutablePath()]
        + ["--testing-library", "swift-testing", "--filter", "OffTaskChild/\(test)"]
    )
  }
}

private let childVariable = "LIFECYCLE_OFF_TASK_CHILD"

/// Tests that fail, or ought to, run by those above alone.
@Suite(.enabled(if: ProcessInfo.processInfo.environment[childVariable] != nil))
struct OffTaskChild {
  static let expectationLine = #line + 6

  @Test @MainActor
  func expectationsOnAnotherThread() {
    nonisolated(unsafe) let lifecycle = ScriptedLifecycle()
    onAnotherThread {
      expectLifecycle(LifecycleTranscript([.step(.launch)]), matches: "")
      let bus = NonisolatedLifecycleBus(clock: lifecycle.clock)
      let observer = bus.addObserver { _ in }
      expectNoLiveSubscriptions(of: bus)
      withExtendedLifetime(observer) {}
      let kept = OffTaskModel()
      var model: OffTaskModel? = kept
      expectReleased(&model)
      expectReleased(&model)
      lifecycle.expect(kept, after: .advance(by: .zero)) { _ in }
      lifecycle.clock.advance(by: .seconds(-1))
      lifecycle.perform(.becomeActive)
    }
  }

  @Test func releaseOnAnotherThread() {
    let owner = Locked<TestFailures?>(TestFailures())
    onAnotherThread {
      owner.withLock { $0 }?.report("a failure", at: .here(line: 12))
      let last = owner.withLock { $0.take() }
      withExtendedLifetime(last) {}
    }
  }
}

private final class OffTaskModel {}

extension CallSite {
  fileprivate static func here(line: UInt) -> Self {
    Self(#fileID, #filePath, line, 1)
  }
}

/// Runs a body on a thread that belongs to no task, and waits until it was released there.
func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  let body = Locked<(@Sendable () -> Void)?>(body)
  let isDone = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body.withLock { $0.take() }?()
    isDone.signal()
  }
  isDone.wait()
}
