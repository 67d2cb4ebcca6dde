import Foundation
public import JobControl
public import LifecycleCore
import Testing

/// A running `lifecycle-probe observe`, seen from the test. Its job may be a program that runs it
/// and prints lines of its own.
public final class Probe {
  public let job: Job
  public let session: JobControlSession

  /// What the probe printed up to and without `ready`.
  public private(set) var launchLines: [ProbeLine] = []

  private let decoder = JSONDecoder()

  /// - Parameter job: A job that has started a probe, or is about to.
  public init(job: Job, session: JobControlSession) {
    self.job = job
    self.session = session
  }

  /// Waits for the next line. The end of the output is an error.
  public func nextLine() throws -> ProbeLine {
    try decode(job.nextLine("a line", where: isProbeLine))
  }

  /// Waits for the line that meets the condition; returns it and those before it.
  public func lines(
    through isLast: (ProbeLine) -> Bool
  ) throws -> [ProbeLine] {
    var lines: [ProbeLine] = []
    repeat { lines.append(try nextLine()) } while !isLast(lines[lines.endIndex - 1])
    return lines
  }

  public func lines(through kind: LifecycleEvent.Kind) throws -> [ProbeLine] {
    try lines { $0.event?.kind == kind }
  }

  public func lines(through content: ProbeLine.Content) throws -> [ProbeLine] {
    try lines { $0.content == content }
  }

  /// Waits for that event of a probe that must not stop meanwhile, which the machine may be too busy for.
  public func linesUnlessStopped(through kind: LifecycleEvent.Kind) throws -> [ProbeLine] {
    var lines: [ProbeLine] = []
    while true {
      lines += try availableLines()
      if lines.contains(where: { $0.event?.kind == kind }) { return lines }
      if let change = job.statuses.last { throw TooLate("\(change.status), \(lines.summaries)") }
      session.idle(for: .milliseconds(5))
    }
  }

  /// The lines that were printed already and not handed out yet. After a status of the job these
  /// are all that were printed before it.
  public func availableLines() throws -> [ProbeLine] {
    try job.takeAvailableLines().filter(isProbeLine).map(decode)
  }

  /// Waits for the end of the output and returns what was not handed out yet.
  public func remainingLines(within timeout: Duration? = nil) throws -> [ProbeLine] {
    try job.waitUntilOutputEnds(within: timeout)
    return try availableLines()
  }

  /// Asks the probe for a sign of life by SIGUSR1; returns what it had printed before.
  public func ping() throws -> [ProbeLine] {
    try session.signal(SIGUSR1, job)
    return try lines(through: .pong).dropLast()
  }

  /// Types Ctrl-Z and waits until the probe has stopped; returns what it printed before.
  public func stop() throws -> [ProbeLine] {
    try session.terminal.type(PseudoTerminal.controlZ)
    let status = try job.nextStatus().status
    guard status == .stopped(SIGTSTP) else { throw Unexpected(status: status) }
    return try availableLines()
  }

  /// Does what `fg` does, and waits until the probe is active again; returns what it printed.
  public func resume() throws -> [ProbeLine] {
    try session.foreground(job)
    let status = try job.nextStatus().status
    guard status == .continued else { throw Unexpected(status: status) }
    return try lines(through: .didBecomeActive)
  }

  /// Waits until the probe has a handler for the signal.
  public func waitUntilCaught(_ signal: CInt) throws {
    try session.waitUntilCaught(signal, by: job)
  }

  struct Unexpected: Error {
    var status: JobStatus
  }

  private func decode(_ line: String) throws -> ProbeLine {
    try decoder.decode(ProbeLine.self, from: Data(line.utf8))
  }

  private func isProbeLine(_ line: String) -> Bool { line.hasPrefix("{") }

  /// Waits until its source is connected.
  public func waitUntilReady() throws {
    launchLines = try lines(through: .ready).dropLast()
  }
}

extension JobControlSession {
  /// Launches `lifecycle-probe`.
  ///
  /// - Parameters:
  ///   - arguments: A command of the probe, and its options.
  ///   - wrapper: A program and its arguments that start the probe in their turn.
  ///   - change: What is to be unlike the launch of an ordinary foreground job.
  public func launchProbeCommand(
    _ arguments: [String],
    wrapper: [String] = [],
    change: (inout JobRequest) -> Void = { _ in }
  ) throws -> Job {
    let program = try builtProgramPath("lifecycle-probe")
    return try launch(with(JobRequest(wrapper + [program] + arguments), change))
  }

  /// Launches `lifecycle-probe observe` and waits until its source is connected.
  public func launchProbe(
    _ options: [String] = [],
    wrapper: [String] = [],
    change: (inout JobRequest) -> Void = { _ in }
  ) throws -> Probe {
    let job = try launchProbeCommand(["observe"] + options, wrapper: wrapper, change: change)
    let probe = Probe(job: job, session: self)
    try probe.waitUntilReady()
    return probe
  }
}

/// Runs the body with a session whose shell is the probe. A data race in a probe, which the thread
/// sanitizer reports on the terminal, fails the test.
public func withProbeSession<Result: Sendable>(
  _ body: @Sendable (JobControlSession) throws -> Result
) async throws -> Result {
  try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
    let result = try body(session)
    #expect(!session.terminal.outputText.contains("WARNING: ThreadSanitizer"))
    return result
  }
}

/// The events of every bus that is connected in the foreground.
public let launch = [
  "1 didFinishLaunching synthesized", "2 willEnterForeground synthesized",
  "3 didBecomeActive source",
]
