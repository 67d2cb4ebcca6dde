import Foundation
import JobControl
import LifecycleJournaling
import ProgramReporting
import ReactiveLifecycle

/// The tour's own program, as a countdown under the shell of a session. Its reports are narrated as
/// they arrive.
final class CountdownChild {
  let narrator: Narrator
  let session: JobControlSession
  let seconds: Int
  /// The earliest time at which the child was launched.
  let launched = ContinuousClock.now
  private let job: Job
  private let decoder = JSONDecoder()

  /// - Parameters:
  ///   - command: A subcommand of the tour, with all arguments except the seconds.
  init(
    _ command: [String] = ["countdown"],
    seconds: Int,
    session: JobControlSession,
    narrator: Narrator
  ) throws {
    self.seconds = seconds
    self.session = session
    self.narrator = narrator
    job = try session.launch(
      JobRequest([currentExecutablePath()] + command + ["--seconds", "\(seconds)"])
    )
  }

  var processID: pid_t { job.processID }

  // MARK: What the child reports

  /// Waits for the line that meets the condition, and returns it and those before it.
  func lines(through isLast: (ReportLine) -> Bool) throws -> [ReportLine] {
    var lines: [ReportLine] = []
    repeat {
      lines.append(try narrate(job.nextLine("a line") { _ in true }))
    } while !isLast(lines[lines.count - 1])
    return lines
  }

  /// Returns the lines that have arrived and were not narrated yet.
  func availableLines() throws -> [ReportLine] {
    try job.takeAvailableLines().map(narrate)
  }

  private func narrate(_ text: String) throws -> ReportLine {
    let line = try decoder.decode(ReportLine.self, from: Data(text.utf8))
    narrator.moment(line.sentence)
    return line
  }

  /// Returns the range of the seconds that may remain between two instants.
  ///
  /// The countdown began with the launch, and had begun when its first tick was read.
  func remaining(
    begun read: ContinuousClock.Instant,
    between earliest: ContinuousClock.Instant,
    and latest: ContinuousClock.Instant
  ) -> ClosedRange<Double> {
    let least = Double(seconds) - (latest - launched) / .seconds(1)
    let most = Double(seconds) - (earliest - read) / .seconds(1)
    return max(0, least.rounded(.up))...max(0, most.rounded(.up))
  }

  // MARK: What the user and the shell do

  /// Types Ctrl-Z.
  ///
  /// - Returns: The lines that the child reported before it stopped, and its stop.
  func typeControlZ() throws -> (lines: [ReportLine], stopped: JobStatusChange) {
    narrator.moment("--- Ctrl-Z")
    try session.terminal.type(PseudoTerminal.controlZ)
    let change = try job.nextStatus()
    let lines = try availableLines()
    narrator.moment("--- the shell reports: \(change.status.sentence)")
    return (lines, change)
  }

  /// Gives the child the terminal and continues it.
  ///
  /// - Returns: The lines that the child reported, and its continuation.
  func foreground(through isLast: (ReportLine) -> Bool) throws -> (
    lines: [ReportLine], continued: JobStatusChange
  ) {
    narrator.moment("--- fg")
    try session.foreground(job)
    let change = try job.nextStatus()
    return (try lines(through: isLast), change)
  }

  /// Gives the child the terminal without a signal, as bash does with a running job.
  func foregroundWithoutSignal(through isLast: (ReportLine) -> Bool) throws -> [ReportLine] {
    narrator.moment("--- fg (the job is running, so bash sends it no signal)")
    try session.foregroundWithoutContinue(job)
    return try lines(through: isLast)
  }

  func background() throws -> JobStatus {
    narrator.moment("--- bg")
    try session.background(job)
    let status = try job.nextStatus().status
    narrator.moment("--- the shell reports: \(status.sentence)")
    return status
  }

  func terminate() throws -> (lines: [ReportLine], end: JobStatus) {
    try end(by: SIGTERM, "TERM")
  }

  func kill() throws -> (lines: [ReportLine], end: JobStatus) {
    try end(by: SIGKILL, "KILL")
  }

  private func end(
    by signal: CInt,
    _ name: String
  ) throws -> (lines: [ReportLine], end: JobStatus) {
    narrator.moment("--- kill -\(name)")
    try session.signal(signal, job)
    let end = try job.waitUntilEnd()
    let lines = try availableLines()
    narrator.moment("--- the shell reports: \(end.sentence)")
    return (lines, end)
  }
}

extension ReportLine {
  var isTick: Bool { type == .tick }

  var isActive: Bool { kind == "didBecomeActive" }

  /// The event and its origin, without its number: `didEnterBackground (source)`.
  var eventAndOrigin: String? {
    guard type == .event, let kind, let origin else { return nil }
    return "\(kind) (\(origin))"
  }

  fileprivate var sentence: String {
    switch type {
    case .launch:
      "     previous run: \(previousExit?.rawValue ?? "")"
        + (awaySeconds.map { ", \($0) s ago" } ?? "")
    case .event: "#\(sequence ?? 0) \(eventAndOrigin ?? ""): \(phase ?? "")"
    case .stay: "     away for \(seconds ?? 0) s, \(asleepSeconds ?? 0) s of it asleep"
    case .tick: "     \(remainingSeconds ?? 0) s remain"
    case .suppressed: "     suppressed \(kind ?? ""): \(reason ?? "")"
    case .finished: "     finished"
    }
  }
}

extension JobStatus {
  fileprivate var sentence: String {
    switch self {
    case .stopped(SIGTSTP): "suspended by SIGTSTP"
    case .signaled(SIGTERM): "terminated by SIGTERM"
    case .signaled(SIGKILL): "killed by SIGKILL"
    default: description
    }
  }
}
