import Foundation
import JobControl
import ProcessTestSupport
import RentalCountdown
import Testing

/// Runs the body with a session whose jobs are countdowns.
func withCountdownSession(_ body: @Sendable (JobControlSession) throws -> Void) async throws {
  try await withJobControlSession(executable: builtProgramPath("lifecycle-probe"), body)
}

extension JobControlSession {
  /// Launches the built `rental-countdown`, reporting in JSON.
  func launchCountdown(
    seconds: Int = 300,
    _ change: (inout JobRequest) -> Void = { _ in }
  ) throws -> Job {
    let program = try builtProgramPath("rental-countdown")
    let arguments = [program, "--seconds", "\(seconds)", "--format", "json"]
    return try launch(with(JobRequest(arguments), change))
  }

  /// Types Ctrl-Z and waits for the stop; returns what was reported before, without ticks.
  func stop(_ countdown: Job) throws -> (lines: [String], change: JobStatusChange) {
    try terminal.type(PseudoTerminal.controlZ)
    let change = try countdown.nextStatus()
    #expect(change.status == .stopped(SIGTSTP))
    return (countdown.takeAvailableLines().withoutTicks, change)
  }

  /// Waits until a process that was continued has its handler back. Until then the signal stops it
  /// once more, which nobody needs to be told.
  func waitUntilCaught(_ signal: CInt, by countdown: Job) {
    let deadline = ContinuousClock.now + timeout
    while ContinuousClock.now < deadline {
      let caught = ProcessSnapshot(countdown.processID)?.caught ?? 0
      if caught & ProcessSnapshot.bit(signal) != 0 { return }
      idle(for: .milliseconds(1))
    }
    Issue.record("signal \(signal) is not caught")
  }

  /// Does what `fg` does; returns what was reported through the tick.
  func resume(_ countdown: Job) throws -> (lines: [String], change: JobStatusChange) {
    try foreground(countdown)
    let change = try countdown.nextStatus()
    #expect(change.status == .continued)
    return (try countdown.linesThroughTick(), change)
  }
}

extension Job {
  /// The lines through the first tick.
  func linesThroughTick() throws -> [String] {
    try lines { $0.contains(#""tick""#) }
  }

  func lines(through isLast: (String) -> Bool) throws -> [String] {
    var lines: [String] = []
    repeat { lines.append(try nextLine("a line") { _ in true }) } while !isLast(lines.last!)
    return lines
  }
}

/// A line of the report, as the program writes it.
func event(_ number: Int, _ kind: String, _ phase: String, _ origin: String) -> String {
  let members =
    #""kind":"\#(kind)","phase":"\#(phase)","sequence":\#(number),"origin":"\#(origin)""#
  return #"{"type":"event",\#(members)}"#
}

func tick(_ remaining: Int) -> String { #"{"type":"tick","remainingSeconds":\#(remaining)}"# }

let launch = [
  event(1, "didFinishLaunching", "background", "synthesized"),
  event(2, "willEnterForeground", "inactive", "synthesized"),
  event(3, "didBecomeActive", "active", "source"),
]

func background(_ number: Int) -> [String] {
  [
    event(number, "willResignActive", "inactive", "synthesized"),
    event(number + 1, "didEnterBackground", "background", "source"),
  ]
}

/// The return, with a stay whose seconds stand for themselves.
func foreground(_ number: Int) -> [String] {
  [
    event(number, "willEnterForeground", "inactive", "synthesized"),
    #"{"type":"stay","seconds":SECONDS,"asleepSeconds":0.0}"#,
    event(number + 1, "didBecomeActive", "active", "source"),
  ]
}

func termination(_ number: Int) -> [String] {
  [
    event(number, "willResignActive", "inactive", "synthesized"),
    event(number + 1, "didEnterBackground", "background", "synthesized"),
    event(number + 2, "willTerminate", "terminated", "source"),
  ]
}

extension [String] {
  var withoutTicks: [String] { filter { !$0.contains(#""tick""#) } }

  /// The lines with the seconds of a stay replaced, so that they can be compared.
  var withoutSeconds: [String] {
    map { $0.replacing(/"seconds":\d+\.\d{1,3},/) { _ in #""seconds":SECONDS,"# } }
  }

  /// The seconds of the first stay.
  var stay: Double? { reports.compactMap(\.seconds).first }

  var ticks: [Int] { reports.compactMap(\.remainingSeconds) }

  private var reports: [ReportLine] {
    compactMap { try? JSONDecoder().decode(ReportLine.self, from: Data($0.utf8)) }
  }
}
