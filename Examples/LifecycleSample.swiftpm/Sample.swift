import Foundation
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleJournaling
import Observation
import ReactiveLifecycle

/// The models of the app, which live as long as the process.
@Observable
final class Sample {
  let events: EventList
  let news: NewsModel
  let sensor: SensorModel
  let upload: UploadModel
  let recording: RecordingModel
  /// The rental, whose state is in a file; nil until files can be read.
  private(set) var rental: RentalModel?
  private(set) var lastRun = ""

  private var journal: LifecycleJournal?
  private let scope = LifecycleScope("sample")

  init(bus: LifecycleBus = .application) {
    recording = RecordingModel(of: bus)
    events = EventList(bus: bus)
    news = NewsModel(clock: bus.clock) { "Loaded at \(Date.now)" }
    let seconds = Timer.publish(every: 1, on: .main, in: .common).autoconnect()
    sensor = SensorModel(bus: bus, readings: seconds.map(\.timeIntervalSinceReferenceDate))
    upload = UploadModel(tasks: .application) { try await Task.sleep(for: .seconds(20)) }
    scope.task { [weak self] in
      do {
        let folder = URL.documentsDirectory
        let path = folder.appending(path: "journal").path(percentEncoded: false)
        try self?.open(try await openJournal(at: path, of: bus), in: folder, of: bus)
      } catch {
        self?.lastRun = "\(error)"
      }
    }
  }

  private func open(_ journal: LifecycleJournal, in folder: URL, of bus: LifecycleBus) throws {
    self.journal = journal
    lastRun = journal.previousRun.summary
    rental = try RentalModel(bus: bus, journal: journal) { [recording] in
      recording.note("The rental has ended")
    }
    try recording.write(to: folder.appending(path: "life.jsonl"))
  }
}

/// Opens the journal, if need be after the first unlock of the device: the system may launch the app
/// before it, when no file can be read. See the article Prewarming.
private func openJournal(at path: String, of bus: LifecycleBus) async throws -> LifecycleJournal {
  do {
    return try LifecycleJournal(at: path, of: bus)
  } catch LifecycleJournal.OpenError.protectedDataUnavailable {
    try await bus.waitForProtectedData()
  }
  return try LifecycleJournal(at: path, of: bus)
}
