public import Foundation
public import JobControl

extension JobControlSession {
  /// Waits until the thread on which a process waits for the system sleeps.
  public func waitUntilThreadWaits(of process: pid_t) throws {
    try wait(for: process) { ThreadStatus.waiting(of: process)?.state == "S" }
  }

  /// Waits until nothing is under way in a process: no thread runs, or is about to.
  public func waitUntilAllThreadsWait(of process: pid_t) throws {
    // What is asleep in both readings, and has not run in between, was asleep at the same time.
    try wait(for: process) {
      let threads = ThreadStatus.all(of: process)
      return !threads.isEmpty && threads.allSatisfy { $0.state == "S" }
        && ThreadStatus.all(of: process) == threads
    }
  }

  private func wait(for process: pid_t, until condition: () -> Bool) throws {
    let deadline = ContinuousClock.now + timeout
    while !condition() {
      guard ContinuousClock.now < deadline else {
        throw NotWaiting(threads: ThreadStatus.all(of: process))
      }
      idle(for: .milliseconds(1))
    }
  }

  private struct NotWaiting: Error {
    var threads: [ThreadStatus]
  }
}

extension Probe {
  /// Waits until the thread on which the probe waits for the system sleeps.
  public func waitUntilThreadWaits() throws {
    try session.waitUntilThreadWaits(of: job.processID)
  }

  /// Waits until nothing is under way in the probe.
  public func waitUntilAllThreadsWait() throws {
    try session.waitUntilAllThreadsWait(of: job.processID)
  }
}
