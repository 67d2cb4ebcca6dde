import LifecycleBackgroundWork
import LifecycleFlightRecording
import LifecycleTesting
import LifecycleTimelines
import Observation
import ReactiveLifecycle
import Testing

@MainActor
private func recorderSamples(
  _ bus: LifecycleBus,
  in scope: LifecycleScope,
  _ host: InMemoryBackgroundTaskHost,
  path: String,
  number: Int
) throws {
  do {
    let recorder = FlightRecorder(of: bus)
    bus.send(.didBecomeActive)
    bus.send(.didBecomeActive)
    recorder.note("payment accepted")
    for record in recorder.recording.records { print(record.content) }
  }
  do {
    let recorder: FlightRecorder
    recorder = FlightRecorder(of: bus)
    let tasks = BackgroundTaskCoordinator(host: host, of: bus)
    withExtendedLifetime((recorder, tasks)) {}
  }
  do {
    let recorder = FlightRecorder(of: bus)
    try recorder.write(to: path).store(in: scope)
  }
  do {
    let recorder = FlightRecorder(of: bus)
    try recorder.write(to: path, rotatingAt: 1_000_000, keeping: 2).store(in: scope)
    recorder.note("rental \(number) began")
  }
  do {
    let recorder = FlightRecorder(of: bus, version: "2.1 (40)")
    _ = recorder
  }
  let recorder = FlightRecorder(of: bus)
  bus.send(.didBecomeActive)
  try recorder.recording.write(to: path)
  let file = try FlightFile(contentsOf: path)
  _ = file
}

private func fileSamples(path: String) throws {
  do {
    let file = try FlightFile(contentsOf: path)
    for damage in file.damage { print(damage) }
    for recording in file.recordings { print(recording.process.name, recording.records.count) }
  }
  do {
    let file = try FlightFile(contentsOf: path)
    for finding in file.findings() { print(finding) }
    let page = LifecycleTimeline(file.recordings).html
    _ = page
  }
  let findings = try FlightFile(contentsOf: path).findings()
  if findings.isEmpty { print("Nothing unusual.") }
}

func findingsSample(path: String, print: Printer) throws {
  for finding in try FlightFile(contentsOf: path).findings() { print(finding) }
}

@Test("Documentation: timelines and findings")
@MainActor
func timelineSamples() {
  let bus = LifecycleBus(clock: ManualClock())
  let recorder = FlightRecorder(of: bus)
  bus.send(.didBecomeActive)
  let timeline = LifecycleTimeline([recorder.recording], title: "rental")
  let page = timeline.html
  #expect(page.contains("rental"))
  bus.send(.willTerminate)
  let findings = recorder.recording.findings()
  #expect(!findings.contains { $0.content == .noTermination })
}

// MARK: Replays

@MainActor
private final class RentalModel {
  init(bus: LifecycleBus) {}
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable
private final class RentalViewModel {
  private(set) var remainingSeconds: Int

  init(seconds: Int, bus: LifecycleBus) { remainingSeconds = seconds }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable
private final class Feed {
  private(set) var articles: [String] = []

  init(on bus: LifecycleBus) {
    bus.addObserver(self, for: .didBecomeActive) { feed, _ in
      Task { feed.articles.append("news") }
    }
  }
}

@MainActor
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
func replaySamples(path: String) throws {
  let clock = ManualClock()
  let recorded = LifecycleBus(clock: clock)
  let recorder = FlightRecorder(of: recorded)
  recorded.send(.didFinishLaunching)
  do {
    let recording = recorder.recording
    expectLifecycle(recording, matches: "  [0 s background] didFinishLaunching (manual)")
  }
  recorded.send(.didBecomeActive)
  clock.advance(by: .seconds(10))
  recorded.send(.didEnterBackground)
  clock.sleepDevice(for: .seconds(90))
  recorded.send(.didBecomeActive)
  let recording = recorder.recording
  try recording.write(to: path)
  do {
    let file = try FlightFile(contentsOf: path)
    let lifecycle = ScriptedLifecycle(replaying: file.recordings) { process in
      process.keep(RentalModel(bus: process.bus))
    }
    lifecycle.replay()
  }
  do {
    let report = try FlightFile(contentsOf: path)
    let lifecycle = ScriptedLifecycle(replaying: report.recordings) { process in
      process.keep(Offer(on: process.bus))
    }
    lifecycle.replay(until: .seconds(60))
    #expect(lifecycle.bus.phase == .background)
    lifecycle.replay()
    #expect(lifecycle.recordings.map(\.transcript) == report.recordings.map(\.transcript))
  }
  do {
    let lifecycle = ScriptedLifecycle(replaying: [recording]) { process in
      process.keep(RentalViewModel(seconds: 300, bus: process.bus))
    }
    lifecycle.replay()
    expectLifecycle(lifecycle, matches: "\(recording.transcript)")
  }
}

@Test("A task that an observer starts has run when an async perform returns")
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
func settlingSamples() async {
  let lifecycle = ScriptedLifecycle()
  let feed = Feed(on: lifecycle.bus)
  let viewModel = RentalViewModel(seconds: 300, bus: lifecycle.bus)
  lifecycle.transcribe(viewModel, \.remainingSeconds, as: "remaining")
  await lifecycle.perform(.launch, .becomeActive)
  #expect(feed.articles.count == 1)  // appended by a Task { … }
}

@Suite("Article: Testing your view model, with tasks")
struct FeedTests {
  @Test("The feed is loaded when the process becomes active")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  func loads() async {
    let lifecycle = ScriptedLifecycle()
    let feed = Feed(on: lifecycle.bus)
    lifecycle.transcribe(feed, \.articles, as: "articles")
    await lifecycle.perform(.launch, .becomeActive)
    #expect(feed.articles == ["news"])
  }
}
