import Foundation
public import JobControl

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
