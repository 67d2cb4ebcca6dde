public import Foundation
public import JobControl
public import Testing

extension JobControlSession {
  /// Waits until a condition holds, which is checked again and again.
  ///
  /// - Parameter subject: What is waited for, with what was seen instead.
  /// - Throws: An error that names the subject, at the end of the session's `timeout`.
  public func wait(
    for subject: @autoclosure () -> String,
    until condition: () throws -> Bool
  ) throws {
    let deadline = ContinuousClock.now + timeout
    while try !condition() {
      guard ContinuousClock.now < deadline else { throw NotSeen(subject: subject()) }
      idle(for: .milliseconds(1))
    }
  }

  private struct NotSeen: Error {
    var subject: String
  }
}

extension JobControlSession {
  /// Does what `bg` does with a stopped job, and waits until it has continued.
  public func continueInBackground(
    _ job: Job,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try background(job)
    #expect(try job.nextStatus().status == .continued, sourceLocation: sourceLocation)
  }
}

extension JobControlSession {
  /// Waits until a job has a handler for the signal, which it lacks before its source is connected,
  /// and for a moment after it was continued.
  public func waitUntilCaught(_ signal: CInt, by job: Job) throws {
    try waitUntilCaught(signal) { job.processID }
  }

  /// Waits until the leader of the terminal's foreground group has a handler for the signal.
  public func waitUntilCaughtInForeground(_ signal: CInt) throws {
    try waitUntilCaught(signal) { terminal.foregroundGroup }
  }

  private func waitUntilCaught(_ signal: CInt, by processID: () -> pid_t?) throws {
    try wait(for: "a handler for signal \(signal)") {
      let caught = processID().flatMap(ProcessSnapshot.init)?.caught ?? 0
      return caught & ProcessSnapshot.bit(signal) != 0
    }
  }
}

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

/// Waits until the process has ended. Returns true if it does not end in a time that is more than enough
/// on any machine.
public func staysAlive(_ process: pid_t) -> Bool {
  !eventually { !ProcessSnapshot.isAlive(process) }
}
