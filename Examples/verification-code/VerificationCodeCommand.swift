import ArgumentParser
import Foundation
import LifecycleJournaling
import ProgramReporting
import ReactiveLifecycle
import VerificationCode

@main
struct VerificationCodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verification-code",
    abstract:
      "The button that sends the code of an SMS again: counts down until it may be pressed.",
    discussion: """
      Press Ctrl-Z, wait, and type fg. Or give it a file with --state, kill it in whatever way, and \
      start it with the same file: it says how the last run ended, and goes on at the right second.
      """
  )

  @Option(
    name: .long,
    parsing: .unconditional,
    help: """
      How long a new countdown lasts: a whole number from 1. One that still runs in the file goes on \
      as it is.
      """,
    transform: WholeSeconds.parse
  )
  var seconds = 60

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where to remember the countdown and how the run ended; without it every launch is the first.",
      valueName: "file"
    ),
    transform: filePath
  )
  var state: String?

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
    let program = await ResendProgram(seconds: seconds, state: state, format: format) {
      diagnose($0)
    }
    do {
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

private func status(for error: any Error) -> ExitCode {
  switch error {
  case is LifecycleJournal.OpenError: .failure
  case is DescriptorOutput.Failure: ExitCode(EX_IOERR)
  default: ExitCode(EX_OSERR)
  }
}

private func diagnose(_ message: String) {
  DescriptorOutput.diagnose(message, program: "verification-code")
}
