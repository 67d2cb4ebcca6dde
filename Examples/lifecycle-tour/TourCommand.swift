import ArgumentParser
import Foundation
import JobControl
import LifecycleBackgroundWork
import LifecycleFlightRecording
import LifecycleTimelines
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
    usage: "lifecycle-tour [--html <file>] [--recording <file>]",
    discussion: """
      Needs no terminal and no input. Exits with 0 only if every claim holds; with 73 if a file \
      cannot be created, and 74 if it cannot be written.

      EXAMPLES
        lifecycle-tour
        lifecycle-tour --html tour.html
        lifecycle-tour --recording tour.jsonl
        lifecycle-monitor timeline tour.jsonl
      """,
    subcommands: [
      CountdownCommand.self, SensorCommand.self, CodeCommand.self, ReceiverCommand.self,
    ]
  )

  @Option(
    help: ArgumentHelp("The page to draw what happened on.", valueName: "file"),
    completion: .file(extensions: ["html"])
  )
  var html: String?

  @Option(
    help: ArgumentHelp("The file to record what happened in.", valueName: "file"),
    completion: .file(extensions: ["jsonl"])
  )
  var recording: String?

  @Option(name: .customLong("countdown"), help: .hidden)
  var countdownSeconds = 120

  func validate() throws {
    for (option, path) in [("--html", html), ("--recording", recording)] where path?.isEmpty == true
    {
      throw ValidationError("Specify the path of a file after \(option).")
    }
  }

  static func main() async {
    JobControlShell.runIfRequested(CommandLine.arguments)
    StandardDescriptors.occupy()
    await runOnArguments()
  }

  func run() async throws {
    let narrator = Narrator()
    let files = [html, recording].compactMap(\.self)
    let recordings = try reportingFailures {
      try files.forEach(OutputFile.check)
      // Part 6 needs one.
      _ = try TourFolder()
      return files.isEmpty ? nil : try TourRecordings()
    }
    try await ArticlePart.run(narrator, recordings: recordings)
    do {
      let processes = try await withJobControlSession { session in
        let command = ["countdown"] + (recordings?.addChild("countdown") ?? [])
        let countdown = try CountdownChild(
          command,
          seconds: countdownSeconds,
          session: session,
          narrator: narrator
        )
        try StopPart.run(countdown)
        try BackgroundPart.run(countdown)
        try TerminationPart.run(countdown)
        let sensor = try SensorPart.run(session, narrator, recordings: recordings)
        let codes = try JournalPart.run(session, narrator, recordings: recordings)
        let receiver = try ReceiverPart.run(session, narrator, recordings: recordings)
        return [session.shellProcessID, countdown.processID, sensor] + codes + [receiver]
      }
      narrator.writeLine("")
      narrator.claim("no child process is left", processes.filter(isThere), [])
      try await PlayerPart.run(narrator)
      await SheetPart.run(narrator)
    } catch {
      narrator.fail("\(error)")
    }
    let holds = narrator.conclude()
    let all = recordings?.all { DescriptorOutput.diagnose($0, program: "lifecycle-tour") }
    try write(all ?? [])
    guard holds else { throw ExitCode.failure }
  }

  /// Writes each file, also if the other one can't be written.
  func write(_ recordings: [FlightRecording]) throws {
    let page = Result { try reportingFailures { try writePage(recordings) } }
    let lines = Result { try reportingFailures { try writeLines(recordings) } }
    try page.get()
    try lines.get()
  }

  private func writePage(_ recordings: [FlightRecording]) throws {
    guard let html else { return }
    try OutputFile.write(
      LifecycleTimeline(recordings, title: "lifecycle-tour").html,
      to: html
    )
  }

  private func writeLines(_ recordings: [FlightRecording]) throws {
    guard let recording else { return }
    let lines = String(decoding: recordings.flatMap(\.jsonLines), as: UTF8.self)
    try OutputFile.write(lines, to: recording)
  }

  private func reportingFailures<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      DescriptorOutput.diagnose("\(error)", program: "lifecycle-tour")
      throw ExitCode((error as? OutputFile.Failure)?.status ?? EX_SOFTWARE)
    }
  }
}

/// The subcommand that the tour starts as a child process for parts 2 to 4.
struct CountdownCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "countdown", shouldDisplay: false)

  @OptionGroup var recording: RecordingOption
  @Option var seconds: Int

  func run() async throws {
    try await recording.record {
      try await RentalProgram.run(seconds: seconds, format: .json) { message in
        DescriptorOutput.diagnose(message, program: nil)
      }
    }
  }
}

/// The subcommand that the tour starts as a child process for part 5.
struct SensorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "sensor", shouldDisplay: false)

  @OptionGroup var recording: RecordingOption
  @Option var interval: Int

  func run() async {
    await recording.record(.application)
    await LoadProgram.run(every: .milliseconds(interval), bus: .application) { line in
      try? DescriptorOutput.write("\(line)\n", to: STDOUT_FILENO)
    }
  }
}

/// The subcommand that the tour starts as a child process for part 6, to be killed.
struct CodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "code", shouldDisplay: false)

  @OptionGroup var recording: RecordingOption
  @Option var seconds: Int
  @Option var state: String

  func run() async throws {
    try await recording.record {
      try await ResendProgram.run(seconds: seconds, state: state, format: .json) { message in
        DescriptorOutput.diagnose(message, program: nil)
      }
    }
  }
}

/// The subcommand that the tour starts as a child process for part 7.
struct ReceiverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "receiver", shouldDisplay: false)

  @OptionGroup var recording: RecordingOption

  func run() async throws {
    let options = LocationProgram.Options(
      rate: ReceiverPart.rate,
      place: nil,
      radius: 100,
      cycle: DutyCycle(burst: 5, rest: .milliseconds(500)),
      format: .json
    )
    try await recording.record {
      try await LocationProgram.run(ReceiverPart.track, options) { message in
        DescriptorOutput.diagnose(message, program: nil)
      }
    }
  }
}

private func isThere(_ process: pid_t) -> Bool {
  kill(process, 0) == 0 || errno != ESRCH
}
