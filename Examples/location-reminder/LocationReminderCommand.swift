import ArgumentParser
import Foundation
import LifecycleBackgroundWork
import LocationReminder
import ProgramReporting
import ReactiveLifecycle

@main
struct LocationReminderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "location-reminder",
    abstract:
      "Plays a recorded track as a receiver of positions, and reminds on arrival at a place.",
    discussion: """
      In the foreground the receiver is on all the time. Press Ctrl-Z, then type bg: the program runs \
      on in the background, where the receiver is on for a burst of positions, of which the last \
      counts, and off for a rest, and so on. Type fg: it is on again. At the track's end the program \
      says how long the receiver was on, and exits with 0.

      The track goes on by the clock whether the receiver is on or off, and while the process is \
      stopped: what passes meanwhile is not seen.

      The track is a file in the format NMEA 0183. The position is taken from the sentences GGA, RMC \
      and GLL; those of the same moment are one position. Sentences with a wrong checksum, or with \
      none, because they were cut short, are skipped and counted. A track that cannot be read is an \
      error with the status 66, one without a position with 65, an option that is wrong with 64.
      """
  )

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp("The file with the track.", valueName: "file"),
    transform: filePath
  )
  var track: String

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many seconds of the track pass in one: a number from 0.001 to 1000000. (default: 1)",
      valueName: "number"
    ),
    transform: { try PlainNumber.parse($0, in: 0.001...1_000_000) }
  )
  var rate = 1.0

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Where to remind: degrees north and degrees east, as in 48.8584,2.2945; south and west are \
      negative. Without it there are no reminders.
      """,
      valueName: "lat,lon"
    ),
    transform: parsePlace
  )
  var place: Position?

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      How many metres from the place is there: a number from 1 to 20000000. Somebody who was there \
      is reminded again after having been a tenth further away than that. (default: 100)
      """,
      valueName: "m"
    ),
    transform: { try PlainNumber.parse($0, in: 1...20_000_000) }
  )
  var radius = 100.0

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      How many positions the receiver sees between two rests: a whole number from 1 to 1000000. \
      (default: 10)
      """,
      valueName: "number"
    ),
    transform: parseBurst
  )
  var burst = 10

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      How many seconds a rest lasts: a number from 0 to 86400. A rest that is longer than the time \
      that the system grants, some 5 s here, is shortened. (default: 4)
      """,
      valueName: "s"
    ),
    transform: { try PlainNumber.parse($0, in: 0...86_400) }
  )
  var rest = 4.0

  @Option(
    name: .long,
    parsing: .unconditional,
    help: "text for people; json for programs: one object a line."
  )
  var format = ReportFormat.text

  static func main() async {
    StandardDescriptors.occupy()
    await runOnArguments()
  }

  func run() async throws {
    do {
      let options = LocationProgram.Options(
        rate: rate,
        place: place,
        radius: radius,
        cycle: DutyCycle(burst: burst, rest: .seconds(rest)),
        format: format
      )
      let program = try await LocationProgram(TrackFile.read(track), options) { diagnose($0) }
      try await program.run()
    } catch {
      diagnose("\(error)")
      throw status(for: error)
    }
  }
}

extension ReportFormat: ExpressibleByArgument {}

private func filePath(_ text: String) throws -> String {
  guard !text.isEmpty else { throw ValidationError("Give the path of a file.") }
  return text
}

private func parsePlace(_ text: String) throws -> Position {
  guard let place = Position(text) else {
    throw ValidationError(
      "Give degrees north from -90 to 90, a comma, and degrees east from -180 to 180."
    )
  }
  return place
}

private func parseBurst(_ text: String) throws -> Int {
  guard let burst = Int(text), (1...1_000_000).contains(burst) else {
    throw ValidationError("Give a whole number from 1 to 1000000.")
  }
  return burst
}

private func status(for error: any Error) -> ExitCode {
  switch error {
  case TrackFile.Problem.noFix: ExitCode(EX_DATAERR)
  case is TrackFile.Problem: ExitCode(EX_NOINPUT)
  case is DescriptorOutput.Failure: ExitCode(EX_IOERR)
  default: ExitCode(EX_OSERR)
  }
}

private func diagnose(_ message: String) {
  DescriptorOutput.diagnose(message, program: "location-reminder")
}
