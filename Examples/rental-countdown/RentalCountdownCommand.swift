import ArgumentParser
import Foundation
import ProgramReporting
import RentalCountdown

@main
struct RentalCountdownCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rental-countdown",
    abstract: "Counts a rental down, whatever happens to the process.",
    discussion: """
      Press Ctrl-Z, wait, and type fg: it says how long it was away, and shows the right remaining \
      time. In the background it rests.
      """
  )

  @Option(
    name: .long,
    parsing: .unconditional,
    help: "How long the rental lasts: a whole number from 1.",
    transform: WholeSeconds.parse
  )
  var seconds = 300

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
    let program = await RentalProgram(seconds: seconds, format: format) { diagnose($0) }
    do {
      try await program.run()
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
