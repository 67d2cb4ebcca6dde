import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

/// The built program on the real system.
@Suite("Location reminder process", .serialized, .startsProcesses)
struct LocationProcessTests {
  @Test("A whole track reports each fix, one arrival, and a summary, and exits with 0")
  func wholeTrack() async throws {
    try await withCountdownSession { session in
      let program = try builtProgramPath("location-reminder")
      let options = ["--format", "json", "--rate", "200", "--place", "48.8584,2.2945"]
      let job = try session.launch(JobRequest([program, "--track", shippedTrack] + options))
      let lines = try job.waitUntilOutputEnds()
      #expect(try job.waitUntilEnd() == .exited(0))
      expectNoDifference(Array(lines.prefix(3)), launch)
      expectNoDifference(
        lines[3],
        #"{"type":"position","latitude":48.8620083,"longitude":2.2885017,"trackSeconds":0.0}"#
      )
      // A machine that is busy for a second loses fixes, as a receiver would.
      let positions = lines.count { $0.contains(#""type":"position""#) }
      let rest = lines.dropFirst(3).filter { !$0.contains(#""type":"position""#) }
      expectNoDifference(rest.count, 2)
      #expect(rest[0].hasPrefix(#"{"type":"reminder","latitude":48.8"#))
      #expect(
        rest[1].hasPrefix(
          #"{"type":"summary","positions":\#(positions),"skippedSentences":24,"receiverOnSeconds":"#
        )
      )
    }
  }

  @Test("The status is 66 for an unreadable track, and 65 for one without a position")
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
