import Foundation
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleJournaling
import LifecycleSources
import Observation
import ReactiveLifecycle

/// The models of the app, which live as long as the process.
@Observable
final class Sample {
  let events: EventList
  let news: NewsModel
  let sensor: SensorModel
  let upload: UploadModel
  let recording: Recording
  /// The rental, whose state is in a file; nil until files can be read.
  private(set) var rental: RentalModel?
  private(set) var lastRun = ""

  private var journal: LifecycleJournal?
  private let scope = LifecycleScope("sample")

  init(bus: LifecycleBus = .application) {
    recording = Recording(of: bus)
    events = EventList(bus: bus)
    news = NewsModel(bus: bus) { "Loaded at \(Date.now)" }
    let seconds = Timer.publish(every: 1, on: .main, in: .common).autoconnect()
    sensor = SensorModel(bus: bus, readings: seconds.map(\.timeIntervalSinceReferenceDate))
    upload = UploadModel(tasks: .application) { try await Task.sleep(for: .seconds(20)) }
    // No file can be read if the system launches the app before the first unlock after a restart.
    // https://github.com/RevenueCat/purchases-ios/issues/4623
    scope.task { [weak self] in
      do {
        try await bus.waitForProtectedData()
        try self?.openFiles(in: .documentsDirectory, of: bus)
      } catch {
        self?.lastRun = "\(error)"
      }
    }
  }

  private func openFiles(in folder: URL, of bus: LifecycleBus) throws {
    let path = folder.appending(path: "journal").path(percentEncoded: false)
    let journal = try LifecycleJournal(at: path, of: bus)
    self.journal = journal
    lastRun = journal.previousRun.summary
    rental = try RentalModel(bus: bus, journal: journal) { [recording] in
      recording.note("The rental has ended")
    }
    try recording.write(to: folder.appending(path: "life.jsonl"))
  }
}
