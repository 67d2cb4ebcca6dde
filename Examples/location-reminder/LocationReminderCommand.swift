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
    abstract: "Plays a track as a location receiver does, and reminds you on arrival at a place.",
    discussion: """
      In the foreground, the receiver is always on. Press Ctrl-Z, then type bg: the program continues \
      in the background, where the receiver alternates between a burst of positions, of which only \
      the last is used, and a rest, during which it is off. Type fg: the receiver is always on again. \
      At the end of the track, the program reports how long the receiver was on, and exits with 0.

      The track continues by the clock while the receiver is off and while the process is stopped. \
      Positions that pass in the meantime are not received.

      The track is an NMEA 0183 file. Positions are read from GGA, RMC, and GLL sentences; sentences \
      with the same time are one position. Sentences with a wrong or missing checksum are skipped and \
      counted. The exit status is 66 if the track cannot be read, 65 if it contains no position, and \
      64 if an option is invalid.
      """
  )

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp("The file that contains the track.", valueName: "file"),
    transform: filePath
  )
  var track: String

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp(
      "The playback speed, as a multiple of real time: a number from 0.001 to 1000000. (default: 1)",
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
      The place to be reminded at, in degrees north and degrees east, for example 48.8584,2.2945; \
      south and west are negative. Without it, there are no reminders.
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
      The distance from the place that counts as arrival, in meters: a number from 1 to 20000000. \
      The next reminder follows only after the distance has exceeded this value by a tenth. \
      (default: 100)
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
      The number of positions that are received between two rests: a whole number from 1 to 1000000. \
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
      The duration of a rest in seconds: a number from 0 to 86400. Without --coarse, a rest that \
      exceeds the time that the system grants, about 5 s here, is shortened. (default: 4)
      """,
      valueName: "s"
    ),
    transform: { try PlainNumber.parse($0, in: 0...86_400) }
  )
  var rest = 4.0

  @Flag(
    name: .long,
    help: ArgumentHelp(
      """
      Keep receiving coarse positions during a rest, which keep an app on iOS running. A rest then \
      needs no time from the system, and is not shortened.
      """
    )
  )
  var coarse = false

  @Option(
    name: .long,
    parsing: .unconditional,
    help: "The output format: text for people, or json for programs, with one object per line."
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
        isCoarseWhileResting: coarse,
        format: format
      )
      try await LocationProgram.run(TrackFile.read(track), options) { diagnose($0) }
    } catch {
      diagnose("\(error)")
      throw status(for: error)
    }
  }
}

extension ReportFormat: ExpressibleByArgument {}

private func filePath(_ text: String) throws -> String {
  guard !text.isEmpty else { throw ValidationError("Specify the path of a file.") }
  return text
}

private func parsePlace(_ text: String) throws -> Position {
  guard let place = Position(text) else {
    throw ValidationError(
      "Specify degrees north from -90 to 90, a comma, and degrees east from -180 to 180."
    )
  }
  return place
}

private func parseBurst(_ text: String) throws -> Int {
  guard let burst = Int(text), (1...1_000_000).contains(burst) else {
    throw ValidationError("Specify a whole number from 1 to 1000000.")
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
