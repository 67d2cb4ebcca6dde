import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleFlightRecording
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import Testing

@testable import LifecycleSampleModels

/// The view models of the sample app, in virtual time.
@Suite("Sample app")
@MainActor
struct LifecycleSampleTests {
  private let lifecycle = ScriptedLifecycle()

  @Test("News is loaded when it is a minute old")
  func news() async {
    var loads = 0
    let news = NewsModel(clock: lifecycle.bus.clock) {
      loads += 1
      return "edition \(loads)"
    }
    await news.load()
    await lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(59)))
    await news.load()
    expectNoDifference(news.headline, "edition 1")
    await lifecycle.perform(.background(for: .seconds(1)))
    await news.load()
    expectNoDifference(news.headline, "edition 2")
  }

  @Test("The sensor stays on during an alert, and is off in the background")
  func sensor() {
    let readings = PassthroughSubject<Double, Never>()
    let sensor = SensorModel(bus: lifecycle.bus, readings: readings)
    lifecycle.perform(.launch, .becomeActive)
    readings.send(1)
    lifecycle.perform(.resignActive)
    readings.send(2)
    lifecycle.perform(.enterBackground)
    readings.send(3)
    lifecycle.perform(.becomeActive)
    readings.send(4)
    expectNoDifference(sensor.readings, [1, 2, 4])
  }

  @Test("The rental continues after a kill, and its end is received once")
  func rental() throws {
    var lines: [String] = []
    var ends = 0
    var rental: RentalModel?
    let lifecycle = ScriptedLifecycle { process in
      let journal = try LifecycleJournal(
        at: "journal",
        of: process.bus,
        fileSystem: process.fileSystem
      )
      let model = try RentalModel(bus: process.bus, journal: journal) { ends += 1 }
      lines += [journal.previousRun.summary, model.text]
      rental = model
    }
    lifecycle.perform(.launch, .becomeActive)
    rental?.start()
    lifecycle.perform(
      .advance(by: .seconds(10)),
      .enterBackground,
      .kill,
      .advance(by: .seconds(20)),
      .relaunch,
      .becomeActive,
      .advance(by: .seconds(5))
    )
    expectNoDifference(rental?.text, "running, 265 s left")
    lifecycle.perform(.kill, .advance(by: .seconds(600)), .relaunch, .becomeActive)
    lifecycle.perform(.advance(by: .seconds(5)), .kill, .relaunch)
    expectNoDifference(
      lines,
      [
        "The last run: firstLaunch", "idle, 300 s left",
        "The last run: killedInBackground, 20 s ago", "running, 270 s left",
        "The last run: killedInForeground, 605 s ago", "finished, 0 s left",
        "The last run: killedInForeground, 5 s ago", "finished, 0 s left",
      ]
    )
    expectNoDifference(ends, 1)
  }

  @Test("The upload has a background task, and stops when the time is up")
  func upload() async throws {
    let host = InMemoryBackgroundTaskHost()
    let isRunning = AsyncStream.makeStream(of: Void.self)
    let upload = UploadModel(tasks: BackgroundTaskCoordinator(host: host)) {
      isRunning.continuation.yield()
      try await Task.sleep(for: .seconds(3600))
    }
    let start = Task { await upload.start() }
    for await _ in isRunning.stream { break }
    expectNoDifference(upload.status, "Uploading …")
    try #require(host.openTasks == ["upload"])
    host.expire()
    await start.value
    expectNoDifference(upload.status, "Stopped: CancellationError()")
    expectNoDifference(host.operations, [.began("upload"), .expired("upload"), .ended("upload")])
  }

  @Test("The events are listed from the launch on, and recorded")
  func events() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    var recording: RecordingModel? = RecordingModel(of: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
    let events = EventList(bus: lifecycle.bus)
    let file = folder.appending(path: "life.jsonl")
    try recording?.write(to: file)
    lifecycle.perform(.enterBackground)
    recording = nil
    expectNoDifference(
      events.lines.map { $0.prefix { $0 != " " } },
      [
        "didFinishLaunching", "willEnterForeground", "didBecomeActive", "willResignActive",
        "didEnterBackground",
      ]
    )
    let recorded = try FlightFile(contentsOf: file.path(percentEncoded: false)).recordings
    let kinds = recorded.flatMap(\.records).compactMap { record in
      if case .event(let event) = record.content { event.kind } else { nil }
    }
    expectNoDifference(kinds.count, events.lines.count)
  }
}
