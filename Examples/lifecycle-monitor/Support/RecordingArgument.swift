import ArgumentParser
import LifecycleFlightRecording
import ProgramReporting

/// The argument of the commands that read a recording.
struct RecordingArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The recording. If it was rotated, its files, the oldest one first.",
      valueName: "file"
    ),
    completion: .file(),
    transform: path
  )
  var files: [String]

  /// Reads the files.
  ///
  /// - Throws: `FlightFileError`.
  @MainActor
  private func read() throws -> FlightFile {
    var whole = try read(files[0])
    for path in files.dropFirst() {
      let file = try read(path)
      whole.recordings += file.recordings
      whole.damage += file.damage
    }
    return whole
  }

  /// Reads the files, and writes to standard error what is damaged.
  ///
  /// - Throws: `FlightFileError`.
  @MainActor
  func readReportingDamage() throws -> FlightFile {
    let file = try read()
    for damage in file.damage.prefix(3) {
      DescriptorOutput.diagnose("Line \(damage.line): \(damage.reason)", program: nil)
    }
    if !file.damage.isEmpty {
      let count = file.damage.count == 1 ? "1 problem" : "\(file.damage.count) problems"
      DescriptorOutput.diagnose(
        "\(count) in \(files.joined(separator: ", ")); explain lists all of them",
        program: "lifecycle-monitor"
      )
    }
    return file
  }

  @MainActor
  private func read(_ path: String) throws -> FlightFile {
    var file = try Progress.during("Reading \(path)") { try FlightFile(contentsOf: path) }
    if files.count > 1 {
      for index in file.damage.indices { file.damage[index].reason += " (in \(path))" }
    }
    return file
  }

  static func path(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("Specify the path of a file.") }
    return text
  }
}
