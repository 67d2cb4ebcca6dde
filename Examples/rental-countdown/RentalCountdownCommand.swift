import ArgumentParser
import Foundation
import ProgramReporting
import RentalCountdown

@main
struct RentalCountdownCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rental-countdown",
    abstract: "Counts down the time left on a rental, even while the process is suspended.",
    discussion: """
      Press Ctrl-Z, wait, and type fg: the program reports how long it was away and shows the correct \
      time left. It does no work in the background.
      """
  )

  @Option(
    name: .long,
    parsing: .unconditional,
    help: "The duration of the rental in seconds: a whole number, at least 1.",
    transform: WholeSeconds.parse
  )
  var seconds = 300

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
      try await RentalProgram.run(seconds: seconds, format: format) { diagnose($0) }
    } catch {
      diagnose("\(error)")
      throw ExitCode(error is DescriptorOutput.Failure ? EX_IOERR : EX_OSERR)
    }
  }
}

extension ReportFormat: ExpressibleByArgument {}

private func diagnose(_ message: String) {
  DescriptorOutput.diagnose(message, program: "rental-countdown")
}
