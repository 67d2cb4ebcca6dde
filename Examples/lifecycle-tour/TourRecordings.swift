import Foundation
import LifecycleFlightRecording
import LifecycleSupport

/// The recordings of the processes that the tour shows, in its order.
final class TourRecordings: Sendable {
  private enum Part {
    case recording(FlightRecording)
    case file(URL)
  }

  private let folder: URL
  private let parts = Locked<[Part]>([])

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "lifecycle-tour-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func add(_ recording: FlightRecording) {
    parts.withLock { $0.append(.recording(recording)) }
  }

  /// Adds the recording of a child, and returns the arguments with which it records itself.
  func addChild(_ child: String) -> [String] {
    let file = folder.appending(path: child)
    parts.withLock { $0.append(.file(file)) }
    return ["--child-recording", file.path]
  }

  /// The recordings, without those of children that failed before they recorded anything.
  var all: [FlightRecording] {
    get throws(FlightFileError) {
      var all: [FlightRecording] = []
      for part in parts.withLock({ $0 }) {
        switch part {
        case .recording(let recording): all.append(recording)
        case .file(let file): all += try Self.recordings(of: file)
        }
      }
      return all
    }
  }

  private static func recordings(of child: URL) throws(FlightFileError) -> [FlightRecording] {
    // A child that is killed early leaves an empty file, or none.
    let size = try? child.resourceValues(forKeys: [.fileSizeKey]).fileSize
    return size ?? 0 > 0 ? try FlightFile(contentsOf: child.path).recordings : []
  }
}
