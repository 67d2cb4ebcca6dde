import Foundation
import LifecycleFlightRecording
import LifecycleJournaling
import ReactiveLifecycle
import Synchronization

/// The files of an epoch: a journal, and the recording of a bus.
final class EpochFiles: Sendable {
  private let folder: String
  private let journal: LifecycleJournal
  private let writing: LifecycleCancellable
  private let values = Mutex<[String: Int]>([:])
  private let faults: Faults

  /// A folder in memory, if possible: the drive is not what is tested.
  static var defaultParent: String {
    let shared = "/dev/shm"
    return FileManager.default.isWritableFile(atPath: shared)
      ? shared : FileManager.default.temporaryDirectory.path
  }

  /// - Parameter parent: The folder for the folder of the epoch.
  init(
    in parent: String,
    journalOf bus: any LifecycleBusProtocol,
    recorder: FlightRecorder,
    _ faults: Faults
  ) throws {
    self.faults = faults
    folder = "\(parent)/soak-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    journal = try LifecycleJournal(at: "\(folder)/journal", of: bus) { error in
      faults.check(.features, false, "\(error)")
    }
    writing = try recorder.write(to: "\(folder)/recording") { error in
      faults.check(.features, false, "\(error)")
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  func save(_ value: Int, as key: String) {
    do {
      try journal.set(value, forKey: key)
      let saved = try journal.value(Int.self, forKey: key)
      faults.check(.features, saved == value, "saved: \(saved as Any) instead of \(value)")
      values.withLock { $0[key] = value }
    } catch {
      faults.check(.features, false, "\(error)")
    }
  }

  /// Reads the files as the next run of a program does. Call it when the buses have ended.
  func checkEnd(of recorder: FlightRecorder) throws {
    // A copy, as the journal of this run has its file until it is released.
    let copy = "\(folder)/copy"
    try FileManager.default.copyItem(atPath: "\(folder)/journal", toPath: copy)
    let next = try LifecycleJournal(at: copy, of: NonisolatedLifecycleBus())
    let previous = next.previousRun
    faults.check(.features, previous.exit == .endedProperly, "the run is \(previous)")
    faults.check(.features, next.runNumber == 2, "run \(next.runNumber)")
    for (key, value) in values.withLock({ $0 }) {
      let saved = try next.value(Int.self, forKey: key)
      faults.check(
        .features,
        saved == value,
        "\(key): \(saved as Any) instead of \(value) after the run"
      )
    }
    // A thread that has cancelled an observer may still record that.
    let last = recorder.recording.records.last
    writing.cancel()
    let file = try FlightFile(contentsOf: "\(folder)/recording")
    faults.check(.features, file.damage.isEmpty, "the file of the recording: \(file.damage)")
    let records = file.recordings.last?.records ?? []
    faults.check(
      .features,
      records.reversed().contains { $0 == last },
      "the file of the recording ends with \(records.last as Any), and lacks \(last as Any)"
    )
  }
}
