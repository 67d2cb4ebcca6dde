import ArgumentParser
import Foundation
import LifecycleFlightRecording
import ProgramReporting

/// Says in words what was unusual.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Says in words what was unusual in a recording.",
    discussion: """
      Reported are repeated, mismatched, masked, and late reports, by source; clock changes, sleep \
      of the machine, pauses, low memory, long stays in the background; background tasks that \
      expired or were released, failed fetches, and those that never ended; observers that each \
      appearance leaves behind; runs without an end; damaged lines. The exit status is 0, also if \
      there are findings.

      EXAMPLES
        lifecycle-monitor explain life.jsonl
        lifecycle-monitor explain life.jsonl --long-stay 3600
        lifecycle-monitor explain life.jsonl --format json | jq -r .text
      """
  )

  @OptionGroup var recording: RecordingArgument

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The stay in the background that is long, in seconds: a number from 0 to 1000000000. \
      (default: 86400)
      """,
      valueName: "s"
    ),
    transform: { try PlainNumber.parse($0, in: 0...1_000_000_000) }
  )
  var longStay = 86_400.0

  @Option(
    parsing: .unconditional,
    help: "The output format: text for people, or json for programs, with one object per line."
  )
  var format = ReportFormat.text

  @MainActor
  func run() async throws {
    try await reportingFailures {
      let file = try recording.read()
      let explanation = Explanation(file, longStay: .seconds(longStay))
      try DescriptorOutput.write(explanation.text(in: format), to: STDOUT_FILENO)
    }
  }
}

extension ReportFormat: ExpressibleByArgument {}
