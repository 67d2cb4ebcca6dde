import Foundation
import ProgramReporting

/// A new folder for temporary files, which is removed when it is released.
final class TourFolder: Sendable {
  let path = FileManager.default.temporaryDirectory.appending(path: "lifecycle-tour-\(UUID())").path

  /// - Throws: `OutputFile.Failure` if the folder cannot be created.
  init() throws(OutputFile.Failure) {
    guard mkdir(path, 0o700) == 0 else { throw OutputFile.uncreatable(path, errno) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
