import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle

/// A program that writes its recording to a path.
struct RecordingFileSample {
  let path: String
  let bus = NonisolatedLifecycleBus(clock: ManualClock())

  /// Records while a scope lives.
  func recordContinuously() throws {
    let scope = LifecycleScope("run")
    let recorder = FlightRecorder(of: bus)
    try recorder.write(to: path).store(in: scope)
    bus.send(.didBecomeActive)
    scope.end()
  }

  /// Writes a recording and reads it; returns whether they are the same.
  func writesAndReads() throws -> Bool {
    let recorder = FlightRecorder(of: bus)
    bus.send(.didBecomeActive)
    try recorder.recording.write(to: path)
    let file = try FlightFile(contentsOf: path)
    return file.recordings == [recorder.recording]
  }

  /// Returns the runs in a file that was rotated once.
  func joins() throws -> [FlightRecording] {
    let files = try [path + ".1", path].map { try FlightFile(contentsOf: $0) }
    let runs = FlightRecording.joined(files.flatMap(\.recordings))
    return runs
  }

  /// What it prints of a file.
  func contents() throws -> [String] {
    var output: [String] = []
    func print(_ items: Any...) {
      output.append(items.map { "\($0)" }.joined(separator: " "))
    }
    let file = try FlightFile(contentsOf: path)
    for damage in file.damage { print(damage) }
    for recording in file.recordings { print(recording.process.name, recording.records.count) }
    return output
  }
}
