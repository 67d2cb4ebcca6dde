import ArgumentParser
import Foundation
import JobControl
import LifecycleBackgroundWork
import LifecycleSources
import LoadMonitor
import LocationReminder
import ProgramReporting
import ReactiveLifecycle
import RentalCountdown
import VerificationCode

@main
struct TourCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lifecycle-tour",
    abstract: "Demonstrates the bus in this process and in child processes under job control.",
    usage: "lifecycle-tour",
    discussion: "Needs no terminal and no input. Exits with 0 only if every claim holds.",
    subcommands: [
      CountdownCommand.self, SensorCommand.self, CodeCommand.self, ReceiverCommand.self,
    ]
  )

  static func main() async {
    JobControlShell.runIfRequested(CommandLine.arguments)
    StandardDescriptors.occupy()
    await runOnArguments()
  }

  func run() async throws {
    let narrator = Narrator()
    try await ArticlePart.run(narrator)
    do {
      let processes = try await withJobControlSession { session in
        let countdown = try CountdownChild(seconds: 120, session: session, narrator: narrator)
        try StopPart.run(countdown)
        try BackgroundPart.run(countdown)
        try TerminationPart.run(countdown)
        let sensor = try SensorPart.run(session, narrator)
        let codes = try JournalPart.run(session, narrator)
        let receiver = try ReceiverPart.run(session, narrator)
        return [session.shellProcessID, countdown.processID, sensor] + codes + [receiver]
      }
      narrator.tell("")
      narrator.claim("no child process is left", processes.filter(isThere), [])
    } catch {
      narrator.fail("\(error)")
    }
    guard narrator.conclude() else { throw ExitCode.failure }
  }
}

/// The subcommand that the tour starts as a child process for parts 2 to 4.
struct CountdownCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "countdown", shouldDisplay: false)

  @Option var seconds: Int

  func run() async throws {
    try await RentalProgram(seconds: seconds, format: .json) { message in
      DescriptorOutput.diagnose(message, program: nil)
    }.run()
  }
}

/// The subcommand that the tour starts as a child process for part 5.
struct SensorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "sensor", shouldDisplay: false)

  @Option var interval: Int

  func run() async {
    await LoadProgram.run(every: .milliseconds(interval), bus: .application) { line in
      try? DescriptorOutput.write("\(line)\n", to: STDOUT_FILENO)
    }
  }
}

/// The subcommand that the tour starts as a child process for part 6, to be killed.
struct CodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "code", shouldDisplay: false)

  @Option var seconds: Int
  @Option var state: String

  func run() async throws {
    try await ResendProgram(seconds: seconds, state: state, format: .json) { message in
      DescriptorOutput.diagnose(message, program: nil)
    }.run()
  }
}

/// The subcommand that the tour starts as a child process for part 7.
struct ReceiverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "receiver", shouldDisplay: false)

  func run() async throws {
    let options = LocationProgram.Options(
      rate: ReceiverPart.rate,
      place: nil,
      radius: 100,
      cycle: DutyCycle(burst: 5, rest: .milliseconds(500)),
      format: .json
    )
    try await LocationProgram(ReceiverPart.track, options) { message in
      DescriptorOutput.diagnose(message, program: nil)
    }.run()
  }
}

private func isThere(_ process: pid_t) -> Bool {
  kill(process, 0) == 0 || errno != ESRCH
}
