import Foundation
import JobControl
import ProcessTestSupport

/// Runs the body with a session whose jobs are countdowns.
public func withCountdownSession(
  _ body: @Sendable (JobControlSession) throws -> Void
) async throws {
  try await withJobControlSession(executable: builtProgramPath("lifecycle-probe"), body)
}

extension JobControlSession {
  /// Types Ctrl-Z and waits for the stop; returns what was reported before, without ticks.
  public func stop(_ countdown: Job) throws -> (lines: [String], change: JobStatusChange) {
    try terminal.type(PseudoTerminal.controlZ)
    let change = try countdown.nextStatus()
    guard change.status == .stopped(SIGTSTP) else { throw Unexpected(status: change.status) }
    return (countdown.takeAvailableLines().withoutTicks, change)
  }

  /// Does what `fg` does; returns what was reported through the tick.
  public func resume(_ countdown: Job) throws -> (lines: [String], change: JobStatusChange) {
    try foreground(countdown)
    let change = try countdown.nextStatus()
    guard change.status == .continued else { throw Unexpected(status: change.status) }
    return (try countdown.linesThroughTick(), change)
  }
}

struct Unexpected: Error {
  var status: JobStatus
}

extension Job {
  /// The lines through the first tick.
  public func linesThroughTick() throws -> [String] {
    try lines { $0.contains(#""tick""#) }
  }

  public func lines(through isLast: (String) -> Bool) throws -> [String] {
    var lines: [String] = []
    repeat { lines.append(try nextLine("a line") { _ in true }) } while !isLast(lines.last!)
    return lines
  }
}
