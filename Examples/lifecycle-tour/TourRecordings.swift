import Foundation
import LifecycleFlightRecording
import LifecycleSupport
import ProgramReporting

/// The recordings of the processes that the tour shows, in its order.
final class TourRecordings: Sendable {
  private enum Part {
    case recording(FlightRecording)
    case file(URL)
  }

  private let folder: TourFolder
  private let parts = Locked<[Part]>([])

  /// - Throws: `OutputFile.Failure` if the folder for the files of the children cannot be created.
  init() throws(OutputFile.Failure) {
    folder = try TourFolder()
  }

  /// Adds the recording of a part that runs in this process.
  func add(_ recording: FlightRecording, of part: String) {
    parts.withLock { $0.append(.recording(recording.named(part))) }
  }

  /// Adds the recording of a child, and returns the arguments with which it records itself.
  func addChild(_ child: String) -> [String] {
    let file = URL(filePath: folder.path).appending(path: child)
    parts.withLock { $0.append(.file(file)) }
    return ["--child-recording", file.path]
  }

  /// The recordings, without those of children that failed before they recorded anything.
  ///
  /// - Parameter report: Receives what cannot be read of the files of the children, in words.
  func all(_ report: (String) -> Void) -> [FlightRecording] {
    var all: [FlightRecording] = []
    for part in parts.withLock({ $0 }) {
      switch part {
      case .recording(let recording): all.append(recording)
      case .file(let file): all += Self.recordings(of: file, report)
      }
    }
    return all
  }

  private static func recordings(
    of child: URL,
    _ report: (String) -> Void
  ) -> [FlightRecording] {
    // A child that is killed early leaves an empty file, or none.
    let size = try? child.resourceValues(forKeys: [.fileSizeKey]).fileSize
    guard size ?? 0 > 0 else { return [] }
    do throws(FlightFileError) {
      let file = try FlightFile(contentsOf: child.path)
      for damage in file.damage { report("\(child.lastPathComponent), \(damage)") }
      return file.recordings.map { $0.named(child.lastPathComponent) }
    } catch {
      report("\(error)")
      return []
    }
  }
}

extension FlightRecording {
  /// The recording under the name of a part, as all have the name of the tour.
  fileprivate func named(_ part: String) -> Self {
    var recording = self
    recording.process.name = "lifecycle-tour \(part)"
    return recording
  }
}

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
