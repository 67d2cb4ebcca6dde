public import Foundation
public import JobControl

extension JobControlSession {
  /// Waits until the thread on which a process waits for the system sleeps.
  public func waitUntilThreadWaits(of process: pid_t) throws {
    try wait(for: "a thread that sleeps: \(ThreadStatus.all(of: process))") {
      ThreadStatus.waiting(of: process)?.state == "S"
    }
  }

  /// Waits until nothing is under way in a process: no thread runs, or is about to.
  public func waitUntilAllThreadsWait(of process: pid_t) throws {
    // What is asleep in both readings, and has not run in between, was asleep at the same time.
    try wait(for: "threads that sleep: \(ThreadStatus.all(of: process))") {
      let threads = ThreadStatus.all(of: process)
      return !threads.isEmpty && threads.allSatisfy { $0.state == "S" }
        && ThreadStatus.all(of: process) == threads
    }
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
