import Foundation
import LifecycleBackgroundWork
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A day of many devices with the same app: files as they arrive at a server.
///
/// The files of a number are always the same. Of fifty lives, one has two files, as after a
/// rotation, one has a file that came twice, and one has a line that was cut off.
@MainActor
struct ManyLives {
  private let number: Int
  private var random: SeededGenerator

  init(_ number: Int) {
    self.number = number
    random = SeededGenerator(seed: UInt64(number))
  }

  /// Writes the files of the lives with the numbers below a count into a folder.
  static func write(_ count: Int, to folder: URL) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in 0..<count {
      var life = Self(number)
      for (name, bytes) in try await life.files() {
        try Data(bytes).write(to: folder.appending(path: name))
      }
    }
  }

  private mutating func files() async throws -> [(name: String, bytes: [UInt8])] {
    var recording = try await record()
    recording.process = .init(
      name: "Rental",
      id: Int32.random(in: 300...30_000, using: &random),
      version: ["2.0 (31)", "2.1 (40)", "2.1 (40)", "2.10 (52)"].randomElement(using: &random),
      run: String((0..<13).map { _ in Self.letters.randomElement(using: &random)! })
    )
    let (first, second) = recording.halves
    let name = "\(number).jsonl"
    switch number % 50 {
    case 1: return [(name + ".1", first.jsonLines), (name, second.jsonLines)]
    case 2: return [(name, recording.jsonLines), ("again-" + name, recording.jsonLines)]
    case 3:
      let cut = #"{"continuous":12,"kind":"didBecomeAct"#.utf8 + [UInt8(ascii: "\n")]
      return [(name, first.jsonLines + cut + second.jsonLines)]
    default: return [(name, recording.jsonLines)]
    }
  }

  private static let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")

  // MARK: A life

  private mutating func record() async throws -> FlightRecording {
    let start = LifecycleInstant(
      continuous: .boot + seconds(1_000...500_000),
      timeAwake: seconds(500...1_000),
      timeSince1970: .seconds(1_767_225_600) + seconds(0...40_000)
    )
    let life = ScriptedLifecycle(clock: ManualClock(start))
    let (bus, scope, widget) = (life.bus, LifecycleScope("app"), TestSource("widget"))
    let host = InMemoryBackgroundTaskHost(clock: life.clock)
    let tasks = BackgroundTaskCoordinator(host: host, of: bus)
    let fetches = BackgroundFetchCoordinator(of: bus)
    fetches.addHandler(named: "inbox", in: scope) { @MainActor in .newData }
    let connection = try bus.connect(widget, as: .participant("widget"))
    // Without the turns of the main actor that a step takes in an asynchronous function.
    func play(_ steps: [LifecycleStep]) { life.perform(steps) }
    let slow: UInt = [0, 12, 31].randomElement(using: &random)!
    for line: UInt in [12, 31] {
      bus.addObserver(
        for: .didEnterBackground,
        in: scope,
        fileID: "Rental/Documents.swift",
        line: line
      ) { event in
        // As a thread that waits for the observers does at its deadline.
        if slow == line { _ = bus.core.noteOverrun(of: event.kind) }
      }
    }
    play([.launch])
    if chance(10) { widget.feed.send(.didFinishLaunching) }
    for _ in 0..<Int.random(in: 1...13, using: &random) {
      play(visit())
      let upload = tasks.beginTask(named: "upload")
      if chance(10) { host.expire() }
      upload.end()
      if chance(20) { _ = await fetches.performFetch() }
      let away = seconds(20...(chance(30) ? 30_000 : 1_200))
      let asleep = away * Double.random(in: 0.3...0.9, using: &random)
      play([.sleepDevice(for: asleep), .advance(by: away - asleep)])
    }
    play(chance(60) ? [.kill] : [.becomeActive, .terminate])
    scope.end()
    connection.cancel()
    return try #require(life.recordings.first)
  }

  /// The app is open for some minutes, and is left.
  private mutating func visit() -> [LifecycleStep] {
    var steps = [LifecycleStep.becomeActive, .advance(by: seconds(5...600))]
    if chance(15) { steps.append(.duplicate(.didBecomeActive)) }
    if chance(20) { steps += [.resignActive, .advance(by: seconds(1...20)), .becomeActive] }
    if chance(2) { steps.append(.setWallClock(by: seconds(-7_200...7_200))) }
    return steps + [.enterBackground]
  }

  private mutating func chance(_ percent: Int) -> Bool {
    .random(in: 0..<100, using: &random) < percent
  }

  private mutating func seconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(
      Int.random(in: range.lowerBound * 1_000...range.upperBound * 1_000, using: &random)
    )
  }
}
