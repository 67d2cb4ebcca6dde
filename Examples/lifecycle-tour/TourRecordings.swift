import Foundation
import LifecycleFlightRecording
import LifecycleSupport
import LifecycleTimelines

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

  /// Returns the arguments with which a child records itself.
  func arguments(for child: String) -> [String] {
    let file = folder.appending(path: child)
    parts.withLock { $0.append(.file(file)) }
    return ["--recording", file.path]
  }

  /// Returns a page that draws all processes, one after the other.
  ///
  /// - Throws: `FlightFileError`.
  func page() throws -> String {
    let recordings = try parts.withLock { $0 }.flatMap { part in
      switch part {
      case .recording(let recording): [recording]
      case .file(let file): try FlightFile(contentsOf: file.path).recordings
      }
    }
    return LifecycleTimeline(recordings, title: "lifecycle-tour").html
  }
}
