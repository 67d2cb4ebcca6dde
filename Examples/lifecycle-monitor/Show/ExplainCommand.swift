import ArgumentParser
import Foundation
import LifecycleFlightRecording
import ProgramReporting

/// Says in words what was unusual.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Says in words what was unusual in recordings.",
    discussion: """
      Reported are repeated, mismatched, masked, and late reports, by source; clock changes, sleep \
      of the machine, pauses, low memory, long stays in the background; background tasks that \
      expired or were released, failed fetches, and those that never ended; observers that each \
      appearance leaves behind; runs without an end; damaged lines. The exit status is 0, also if \
      there are findings.

      Of a folder, or of files that do not continue each other, each file with findings has a line \
      with their kinds and counts, and a sum comes at the end. A file or a folder that can't be read \
      is named on standard error and counted as unreadable, and the others are read; the exit status \
      is that of the first one. An empty file, which a process leaves that is killed before it has \
      written anything, is only counted, and a file that several paths lead to is counted once. Left \
      out are hidden names, and links to folders. One file is read at a time, piece by piece. Kept \
      meanwhile are the paths of the files, and each distinct name of an event or a source.

      EXAMPLES
        lifecycle-monitor explain life.jsonl
        lifecycle-monitor explain life.jsonl.1 life.jsonl --long-stay 3600
        lifecycle-monitor explain life.jsonl --format json | jq -r .text
        lifecycle-monitor explain recordings
      """
  )

  @Argument(
    help: ArgumentHelp(
      """
      A recording, or a folder: its files *.jsonl, also in the folders in it; rather than FOLDER/*. The files of a \
      recording that was rotated, such as *.jsonl.1, are one; specify the oldest one first.
      """,
      valueName: "file"
    ),
    completion: .file(),
    transform: RecordingArgument.path
  )
  var paths: [String]

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
    var firstFailure: ExitCode?
    try await reportingFailures {
      try Progress.during("Reading") { progress in
        firstFailure = try explain(progress)
      }
    }
    if let firstFailure { throw firstFailure }
  }

  /// Returns the status of the first file or folder that can't be read.
  @MainActor
  private func explain(_ progress: Progress) throws -> ExitCode? {
    var firstFailure: ExitCode?
    func report(_ failure: MonitorFailure) {
      let status = progress.withoutLine { failure.reported() }
      firstFailure = firstFailure ?? status
    }
    func write(_ text: String) throws {
      guard !text.isEmpty else { return }
      try progress.withoutLine { try DescriptorOutput.write(text, to: STDOUT_FILENO) }
    }

    var unseen = 0
    let all = paths.flatMap { path in
      guard RecordingFiles.isFolder(path) else { return [path] }
      let unseenBefore = unseen
      let files = RecordingFiles.files(in: path) { failure in
        unseen += 1
        report(failure)
      }
      if files.isEmpty, unseen == unseenBefore {
        let message = "The folder \(path) has no recording: no file in it is named *.jsonl."
        report(MonitorFailure(message, status: EX_NOINPUT))
      }
      return files
    }
    let files = RecordingFiles.distinct(all)
    let isOfSeveral = files != paths || paths.count > 1
    var explanation = FilesExplanation(
      longStay: .seconds(longStay),
      format: format,
      isOfFolder: files != paths
    )
    explanation.skip(unseen)
    for (number, file) in zip(1..., files) {
      let position = files.count > 1 ? " \(number) of \(files.count):" : ""
      progress.setLabel("Reading\(position) \(file)")
      // A process leaves one that is killed before it has written anything.
      if isOfSeveral, RecordingFiles.isEmpty(file) {
        explanation.skipEmpty()
        continue
      }
      do {
        try write(explanation.read(file))
      } catch let error as FlightFileError where isOfSeveral {
        report(MonitorFailure(error))
        explanation.skip(1)
      }
    }
    try write(explanation.finish())
    return firstFailure
  }
}

extension ReportFormat: ExpressibleByArgument {}
