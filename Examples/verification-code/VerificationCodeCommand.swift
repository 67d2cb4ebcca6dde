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
    abstract: "Counts down to a new verification code, even while the process is not running.",
    discussion: """
      Press Ctrl-Z, wait, and type fg. Or specify a file with --state, kill the process in any way, \
      and start the program again with the same file: it reports how the last run ended, and the \
      countdown continues at the correct second.
      """
  )

  @Option(
    name: .long,
    parsing: .unconditional,
    help: """
      The duration of a new countdown in seconds: a whole number, at least 1. Has no effect on a \
      countdown that is still running in the state file.
      """,
    transform: WholeSeconds.parse
  )
  var seconds = 60

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp(
      "The file that stores the countdown and how the run ended. Without it, nothing is stored.",
      valueName: "file"
    ),
    transform: filePath
  )
  var state: String?

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
      try await ResendProgram.run(seconds: seconds, state: state, format: format) { diagnose($0) }
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
