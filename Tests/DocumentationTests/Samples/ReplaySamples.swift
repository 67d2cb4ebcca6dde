import Foundation
import LifecycleFlightRecording
import LifecycleTesting
import Observation
import ReactiveLifecycle
import Testing

/// Tests that replay recordings, and that wait for tasks, as a user writes them.
@Suite("Replaying a field report")
@MainActor
struct ReplaySamples {
  @MainActor
  @Observable
  final class Feed {
    private(set) var articles: [String] = []

    init(on bus: LifecycleBus) {
      bus.addObserver(self, for: .didBecomeActive) { feed, _ in
        Task { feed.articles.append("news") }
      }
    }
  }

  @MainActor
  @Observable
  final class RentalViewModel {
    private(set) var remainingSeconds: Int

    init(seconds: Int, bus: LifecycleBus) {
      remainingSeconds = seconds
      bus.addObserver(self, for: .willEnterForeground) { model, event in
        guard let stay = event.backgroundStay else { return }
        model.remainingSeconds -= Int(stay.duration.components.seconds)
      }
    }
  }

  /// A life with 90 s in the background, from 10 s on.
  private var recording: FlightRecording {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    bus.send(.didBecomeActive)
    clock.advance(by: .seconds(10))
    bus.send(.didEnterBackground)
    clock.sleepDevice(for: .seconds(90))
    bus.send(.didBecomeActive)
    return recorder.recording
  }

  @Test("Report 4711: the offer went on after it was over")
  @MainActor
  func report4711() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try recording.write(to: path)
    try report4711(path)
  }

  private func report4711(_ path: String) throws {
    let report = try FlightFile(contentsOf: path)
    let lifecycle = ScriptedLifecycle(replaying: report.recordings) { process in
      process.keep(Offer(on: process.bus))
    }
    lifecycle.replay(until: .seconds(60))
    #expect(lifecycle.bus.phase == .background)
    lifecycle.replay()
    #expect(lifecycle.recordings.map(\.transcript) == report.recordings.map(\.transcript))
  }

  @Test("The feed is loaded when the process becomes active")
  @MainActor
  func loads() async {
    let lifecycle = ScriptedLifecycle()
    let feed = Feed(on: lifecycle.bus)
    lifecycle.record(feed, \.articles, as: "articles")
    await lifecycle.perform(.launch, .becomeActive)
    #expect(feed.articles == ["news"])
  }

  @Test("Tasks run after a step")
  func settles() async {
    let lifecycle = ScriptedLifecycle()
    let feed = Feed(on: lifecycle.bus)
    await lifecycle.perform(.launch, .becomeActive)
    #expect(feed.articles.count == 1)  // appended by a Task { … }
  }

  @Test("A recording is replayed with the identical transcript")
  func identical() {
    let recording = recording
    let lifecycle = ScriptedLifecycle(replaying: recording) { process in
      process.keep(RentalViewModel(seconds: 300, bus: process.bus))
    }
    lifecycle.replay()
    expectLifecycle(lifecycle, matches: "\(recording.transcript)")
  }

  @Test("A recording has a transcript")
  func transcript() {
    let bus = LifecycleBus(clock: ManualClock())
    let recorder = FlightRecorder(of: bus)
    bus.send(.didFinishLaunching)
    let recording = recorder.recording
    expectLifecycle(recording, matches: "  [0 s background] didFinishLaunching (manual)")
  }

  @Test("A property of a view model is recorded")
  func property() {
    let lifecycle = ScriptedLifecycle()
    let viewModel = RentalViewModel(seconds: 300, bus: lifecycle.bus)
    lifecycle.record(viewModel, \.remainingSeconds, as: "remaining")
    lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(90)))
    #expect("\(lifecycle.transcript)".contains("[90 s inactive] remaining: 210"))
  }

  @Test("A recording drives a program")
  func realTime() throws {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let connection = try bus.connect(.replay(recording, speed: 10))
    clock.advance(by: .seconds(2))
    #expect(bus.phase == .background)
    connection.cancel()
  }
}
