import ArgumentParser
import Foundation
import LifecycleFlightRecording
import LifecycleTimelines
import ProgramReporting
import ReactiveLifecycle

/// Prints a recording in time.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Prints what a recording contains, each line when its time comes.",
    discussion: """
      Between two runs there is no wait. Ctrl-Z pauses the replay, except that \
      the wait for the next line goes on.

      EXAMPLES
        lifecycle-monitor replay life.jsonl
        lifecycle-monitor replay life.jsonl --speed 60
      """
  )

  @OptionGroup var recording: RecordingArgument

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The speed, as a multiple of real time: a number from 0.001 to 1000000000. (default: 1)",
      valueName: "number"
    ),
    transform: { try PlainNumber.parse($0, in: 0.001...1_000_000_000) }
  )
  var speed = 1.0

  @MainActor
  func run() async throws {
    try await reportingFailures {
      let runs = try recording.readReportingDamage().recordings.runs
      for (number, parts) in zip(1..., runs) {
        guard let first = parts.first else { continue }
        let title = first.process.title(ofRun: number, of: runs.count)
        try DescriptorOutput.write(OutsideText.line(title) + "\n", to: STDOUT_FILENO)
        try await play(parts, from: first.start)
      }
    }
  }

  private func play(
    _ parts: ArraySlice<FlightRecording>,
    from start: FlightRecording.Start
  ) async throws {
    var lines = RecordLines(start)
    var time = start.instant
    for part in parts {
      lines.add(part.start.sources)
      for record in part.records {
        let wait = time.duration(to: record.instant) / speed
        if wait > .zero {
          // Gap by gap, so that a stopped replay continues where it was.
          try await Task.sleep(for: wait, clock: .suspending)
          time = record.instant
        }
        let line = lines.line(for: record, .current)
        try DescriptorOutput.write(line, to: STDOUT_FILENO)
      }
    }
  }
}
