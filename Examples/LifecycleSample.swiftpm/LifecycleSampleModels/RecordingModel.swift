import Foundation
import LifecycleFlightRecording
import Observation
import ReactiveLifecycle

/// A recording of what happened to the process, in a file to share.
@MainActor
@Observable
final class RecordingModel {
  private(set) var file: URL?
  private let recorder: FlightRecorder
  private let scope = LifecycleScope("recording")

  init(of bus: LifecycleBus) {
    recorder = FlightRecorder(of: bus)
  }

  /// Writes what has been recorded since the launch, and what follows.
  func write(to file: URL) throws {
    try recorder.write(to: file.path(percentEncoded: false)).store(in: scope)
    self.file = file
  }

  func note(_ text: String) { recorder.note(text) }
}
