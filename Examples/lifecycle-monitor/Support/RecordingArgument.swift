import ArgumentParser
import LifecycleFlightRecording

/// The argument of the commands that read a recording.
struct RecordingArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The recording.", valueName: "file"),
    completion: .file(),
    transform: path
  )
  var file: String

  /// Reads the file.
  ///
  /// - Throws: `FlightFileError`.
  @MainActor
  func read() throws -> FlightFile {
    try Progress.during("Reading \(file)") { try FlightFile(contentsOf: file) }
  }

  static func path(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("Specify the path of a file.") }
    return text
  }
}
