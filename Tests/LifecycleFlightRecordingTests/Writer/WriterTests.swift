import CustomDump
import Foundation
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleFlightRecording

@Suite("Recording continuously")
struct WriterTests {
  let directory = TemporaryDirectory()
  let bus = NonisolatedLifecycleBus(clock: ManualClock())
  var path: String { directory.path("flight") }

  func file(_ name: String = "flight") throws -> FlightFile {
    try FlightFile(contentsOf: directory.path(name))
  }

  /// Waits until the file has that many records.
  private func waitForRecords(_ count: Int) throws {
    var counts: [Int] = []
    let isReached = try eventually {
      counts = try file().recordings.map(\.records.count)
      return counts.reduce(0, +) >= count
    }
    #expect(isReached, "\(counts)")
  }

  @Test("The file has what the recorder has, from before and from after the call")
  func writes() throws {
    let recorder = FlightRecorder(of: bus)
    bus.send(.didBecomeActive, metadata: ["line": "two\nlines"])
    let writing = try recorder.write(to: path)
    // What is recorded is soon written, without any further call.
    try waitForRecords(recorder.recording.records.count)
    bus.send(.didEnterBackground)
    recorder.note("a note")
    try waitForRecords(recorder.recording.records.count)
    bus.send(.willEnterForeground)
    writing.cancel()
    #expect(try file() == FlightFile(recorder.recording))
    recorder.note("after the end")
    #expect(try file().recordings[0].records.count == recorder.recording.records.count - 1)
  }

  @Test("Records from before that are more than one step writes need no further call either")
  func writesMoreThanOneStep() throws {
    let recorder = FlightRecorder(of: bus)
    let note = String(repeating: "x", count: 1_000)
    for _ in 0...FlightWriterMachine.stepSize / 1_000 * 2 { recorder.note(note) }
    let writing = try recorder.write(to: path)
    try waitForRecords(recorder.recording.records.count)
    #expect(try file() == FlightFile(recorder.recording))
    writing.cancel()
  }

  @Test("A scope that ends, or the release of the object, writes everything")
  func ends() throws {
    let recorder = FlightRecorder(of: bus)
    let scope = LifecycleScope("recording")
    try recorder.write(to: path).store(in: scope)
    for number in 0..<3_000 { recorder.note("\(number)") }
    scope.end()
    #expect(try file() == FlightFile(recorder.recording))
    do {
      let writing = try recorder.write(to: directory.path("second"))
      for number in 0..<3_000 { recorder.note("\(number)") }
      withExtendedLifetime(writing) {}
    }
    #expect(try file("second") == FlightFile(recorder.recording))
  }

  @Test("At the end of the bus everything is written before the call that ended it returns")
  func endOfTheBus() throws {
    let recorder = FlightRecorder(of: bus)
    let writing = try recorder.write(to: path)
    bus.send(.didBecomeActive)
    bus.send(.willTerminate)
    let recording = try file().recordings[0]
    expectNoDifference(recording, recorder.recording)
    #expect(recording.records.contains { $0.content == .ended })
    writing.cancel()
  }

  @Test("It is also written when the bus is released")
  func releasedBus() throws {
    var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = FlightRecorder(of: bus!)
    let writing = try recorder.write(to: path)
    bus?.send(.didBecomeActive)
    bus = nil
    #expect(try file().recordings[0].records.last?.content == .ended)
    writing.cancel()
  }

  @Test("Records that were missed are told from the others")
  func missed() throws {
    let recorder = FlightRecorder(of: bus, capacity: 10)
    let writer = try recorder.writer(
      to: path,
      limit: .max,
      keeping: 0,
      retryInterval: .zero
    ) { _ in }
    // No record wakes the writer, as if the queue had no time.
    recorder.setWake(nil, of: ObjectIdentifier(writer))
    recorder.note("first")
    writer.flush()
    for number in 0..<100 { recorder.note("\(number)") }
    writer.end()
    let file = try file()
    #expect(file.damage.isEmpty)
    expectNoDifference(file.recordings.map(\.start.dropped), [0, 91])
    expectNoDifference(file.recordings.map(\.records.count), [1, 10])
  }

  @Test("A run is appended to the runs before, also after a line that was cut off")
  func appends() throws {
    directory.write(sampleLines.utf8.dropLast(20), to: "flight")
    let recorder = FlightRecorder(of: bus)
    try recorder.write(to: path).cancel()
    try recorder.write(to: path).cancel()
    let file = try file()
    #expect(file.recordings.count == 3 && file.recordings[2] == recorder.recording)
    expectNoDifference(file.damage.map(\.line), [12])
  }

  @Test("The object keeps the recorder")
  func keepsRecorder() throws {
    let writing = try FlightRecorder(of: bus).write(to: path)
    bus.send(.didFinishLaunching)
    writing.cancel()
    expectNoDifference(try file().recordings.map(\.records.count), [2])
  }

  @Test("Neither the recorder nor the writer is kept after the end")
  func releases() throws {
    weak var recorder: FlightRecorder?
    weak var writer: FlightRecordingWriter?
    do {
      let made = FlightRecorder(of: bus)
      let writing = try made.writer(
        to: path,
        limit: .max,
        keeping: 0,
        retryInterval: .zero
      ) { _ in }
      (recorder, writer) = (made, writing)
      made.note("a")
      writing.end()
    }
    // The queue may hold the writer for a moment.
    #expect(eventually { recorder == nil && writer == nil })
  }
}
