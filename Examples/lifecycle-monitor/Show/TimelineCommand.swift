import ArgumentParser
import Foundation
import LifecycleFlightRecording
import LifecycleTimelines
import ProgramReporting

/// Draws a recording.
struct TimelineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Draws a recording in the terminal, or as a picture or a page.",
    discussion: """
      In a terminal, the timeline is as wide as the terminal, but at most 300 columns; elsewhere \
      80 columns, without colors. With less than 40 columns, the name of a lane stands above it. \
      NO_COLOR turns off the colors. The picture and the page are single files that need no \
      network. An existing file is replaced when the new one is complete.

      EXAMPLES
        lifecycle-monitor timeline life.jsonl
        lifecycle-monitor timeline life.jsonl.1 life.jsonl | less
        lifecycle-monitor timeline life.jsonl --html life.html
        lifecycle-monitor timeline life.jsonl --svg /dev/stdout | rsvg-convert -o life.png
      """
  )

  @OptionGroup var recording: RecordingArgument

  @Option(
    help: ArgumentHelp("The picture to write.", valueName: "file"),
    completion: .file(extensions: ["svg"]),
    transform: RecordingArgument.path
  )
  var svg: String?

  @Option(
    help: ArgumentHelp("The page to write.", valueName: "file"),
    completion: .file(extensions: ["html"]),
    transform: RecordingArgument.path
  )
  var html: String?

  func validate() throws {
    if svg != nil, html != nil { throw ValidationError("Specify either --svg or --html.") }
    if let output = svg ?? html, recording.files.contains(where: { isSameFile(output, $0) }) {
      throw ValidationError("The output would replace the recording.")
    }
  }

  @MainActor
  func run() async throws {
    try await reportingFailures {
      let timeline = LifecycleTimeline(try recording.readReportingDamage().recordings)
      if let svg {
        try OutputFile.write(Progress.during("Drawing \(svg)") { timeline.svg }, to: svg)
      } else if let html {
        try OutputFile.write(Progress.during("Drawing \(html)") { timeline.html }, to: html)
      } else {
        let style = OutputStyle.current
        let text = timeline.text(columns: style.columns ?? 80, usesColor: style.usesColor)
        try DescriptorOutput.write(text + "\n", to: STDOUT_FILENO)
      }
    }
  }
}

private func isSameFile(_ first: String, _ second: String) -> Bool {
  var (one, other) = (stat(), stat())
  guard stat(first, &one) == 0, stat(second, &other) == 0 else { return false }
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino
}
