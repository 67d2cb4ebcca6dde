import Foundation
import JobControl
import TestSupport
import Testing

/// Runs the body with a session whose jobs are countdowns.
func withCountdownSession(
  _ body: @Sendable (JobControlSession) throws -> Void
) async throws {
  try await withJobControlSession(executable: builtProgramPath("lifecycle-probe"), body)
}

extension JobControlSession {
  /// Types Ctrl-Z and waits for the stop; returns what was reported before, without ticks.
  ///
  /// Throws ``TooLate`` if the program had come to its end.
  func stop(_ countdown: Job) throws -> (lines: [String], change: JobStatusChange) {
    try terminal.type(PseudoTerminal.controlZ)
    let change = try countdown.nextStatus()
    if change.status == .exited(0) { throw TooLate(countdown.lines) }
    guard change.status == .stopped(SIGTSTP) else { throw Unexpected(status: change.status) }
    let lines = countdown.takeAvailableLines().withoutTicks
    // It may also be stopped between its last line and its end.
    if lines.contains(finished) { throw TooLate(lines) }
    return (lines, change)
  }

  /// Does what `fg` does; returns what was reported through the tick.
  func resume(_ countdown: Job) throws -> (lines: [String], change: JobStatusChange) {
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
  func linesThroughTick() throws -> [String] {
    try lines { $0.contains(#""tick""#) }
  }

  /// What ends in the first tick: the lines before it must be these. The tick is no more than `most`; a busy
  /// machine makes it less.
  func expectLines(
    _ expected: [String],
    thenTickAtMost most: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let lines = try linesThroughTick()
    #expect(Array(lines.dropLast()) == expected, sourceLocation: sourceLocation)
    #expect(lines.ticks.isCountdown(from: most), "\(lines)", sourceLocation: sourceLocation)
  }

  func lines(through isLast: (String) -> Bool) throws -> [String] {
    var lines: [String] = []
    repeat { lines.append(try nextLine("a line") { _ in true }) } while !isLast(lines.last!)
    return lines
  }
}
