import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

extension JobControlSession {
  /// Launches the built `location-reminder` with the track that ships, reporting in JSON.
  fileprivate func launchReminder(
    _ options: String...,
    change: (inout JobRequest) -> Void = { _ in }
  ) throws -> Job {
    let program = try builtProgramPath("location-reminder")
    let arguments = [program, "--track", shippedTrack, "--format", "json"] + options
    return try launch(with(JobRequest(arguments), change))
  }
}

extension [String] {
  fileprivate var withoutPositions: [String] { filter { !$0.contains(#""type":"position""#) } }
}

/// The built program on the real system.
@Suite("Location reminder, the process", .serialized, .startsProcesses)
struct LocationProcessTests {
  @Test("A whole track in the foreground: every fix, the reminder once, the summary, and 0")
  func wholeTrack() async throws {
    try await withCountdownSession { session in
      let job = try session.launchReminder("--rate", "200", "--place", "48.8584,2.2945")
      let lines = try job.waitUntilOutputEnds()
      #expect(try job.waitUntilEnd() == .exited(0))
      expectNoDifference(Array(lines.prefix(3)), launch)
      expectNoDifference(
        lines[3],
        #"{"type":"position","latitude":48.8620083,"longitude":2.2885017,"trackSeconds":0.0}"#
      )
      // A machine that is busy for a second loses fixes, as a receiver would.
      let positions = lines.count - lines.withoutPositions.count
      let rest = lines.dropFirst(3).map { String($0) }.withoutPositions
      expectNoDifference(rest.count, 2)
      #expect(rest[0].hasPrefix(#"{"type":"reminder","latitude":48.8"#))
      #expect(
        rest[1].hasPrefix(
          #"{"type":"summary","positions":\#(positions),"skippedSentences":24,"receiverOnSeconds":"#
        )
      )
    }
  }

  @Test("Ctrl-Z stops it, bg has it work in bursts and rest, fg is continuous; time goes on")
  func jobControl() async throws {
    try await withCountdownSession { session in
      let job = try session.launchReminder("--rate", "5", "--burst", "3", "--rest", "0.5")
      try job.nextLine("a position") { $0.contains(#""position""#) }
      let down = try session.stop(job).lines.withoutPositions
      expectNoDifference(down, background(4))
      try session.continueInBackground(job)
      try expectBurst(of: job, count: nil)
      try expectBurst(of: job, count: 3)
      try expectBurst(of: job, count: 3)
      try session.foregroundWithoutContinue(job)
      let up = try job.lines { $0.contains("didBecomeActive") }
      let events = up.withoutPositions.filter { !$0.contains(#""rest""#) }
      expectNoDifference(events.withoutSeconds, foreground(6))
      let next = try nextLines(8, of: job)
      expectNoDifference(next.withoutPositions, [])
    }
  }

  private func nextLines(_ count: Int, of job: Job) throws -> [String] {
    try (0..<count).map { _ in try job.nextLine() ?? "" }
  }

  private func expectBurst(of job: Job, count: Int?) throws {
    let burst = try job.lines { $0.contains(#""rest""#) }
    if let count { expectNoDifference(burst.count, count + 1, "\(burst)") }
    expectNoDifference(burst.last, #"{"type":"rest","seconds":0.5,"grantedSeconds":0.5}"#)
  }

  @Test("A track that cannot be read is named, with 66; one without a position is, with 65")
  func unreadableTrackIsNamed() throws {
    let program = try builtProgramPath("location-reminder")
    for (path, status) in [("/no/such.nmea", 66), ("/tmp", 66), ("/dev/null", 65)] {
      let result = try runProgram(program, ["--track", path])
      expectNoDifference(result.status, .exited(CInt(status)))
      #expect(result.text.contains(path))
      #expect(result.text.hasPrefix("location-reminder: "))
      expectNoDifference(result.text.split(separator: "\n").count, 1)
    }
  }
}
