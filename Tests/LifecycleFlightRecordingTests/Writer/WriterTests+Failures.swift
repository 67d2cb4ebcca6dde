import CustomDump
import Foundation
import LifecycleSupport
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleFlightRecording

extension WriterTests {
  @Test("Only one writer at a time uses a file")
  func inUse() throws {
    let recorder = FlightRecorder(of: bus)
    let writing = try recorder.write(to: path)
    let error = #expect(throws: FlightFileError.self) { try recorder.write(to: path) }
    expectNoDifference(
      error?.description,
      """
      The recording \(path) can't be written: another recorder writes it. Use a separate file for \
      each recorder and for each process.
      """
    )
    writing.cancel()
    try recorder.write(to: path).cancel()
    // Two files at a time are fine.
    let both = [try recorder.write(to: path), try recorder.write(to: directory.path("other"))]
    recorder.note("both")
    for writing in both { writing.cancel() }
    #expect(try file("other").recordings[0].records == recorder.recording.records)
    #expect(try file().recordings.last?.records == recorder.recording.records)
  }

  @Test("A file that can't be opened is an error at once")
  func unopened() {
    let recorder = FlightRecorder(of: bus)
    for (path, errno) in [
      (directory.path, EISDIR), (directory.path("a/b"), ENOENT), ("/dev/null", ENODEV),
    ] {
      #expect(throws: FlightFileError(.unwritable(errno: errno), path)) {
        try recorder.write(to: path)
      }
    }
    expectNoDifference(directory.names, [])
  }

  @Test("A write that fails is reported once, recording continues, and nothing is lost")
  func failure() throws {
    let failures = Locked<[FlightFileError]>([])
    let recorder = FlightRecorder(of: bus)
    let writer = try recorder.writer(
      to: path,
      limit: 700,
      keeping: 1,
      retryInterval: .zero
    ) { error in failures.withLock { $0.append(error) } }
    try blockRotation()
    for number in 0..<10 {
      recorder.note("\(number)")
      writer.flush()
    }
    expectNoDifference(
      failures.withLock { $0 },
      [FlightFileError(.unwritable(errno: EISDIR), path)]
    )
    try FileManager.default.removeItem(atPath: directory.path("flight.1"))
    recorder.note("again")
    writer.end()
    expectNoDifference(failures.withLock { $0.count }, 1)
    let records = try (file("flight.1").recordings + file().recordings).flatMap(\.records)
    #expect(try file().damage.isEmpty)
    expectNoDifference(recorder.recording.records.suffix(records.count), records[...])
  }

  @Test("A closure that is told of a failure can end the writing")
  func endsInFailure() throws {
    let writing = Locked<LifecycleCancellable?>(nil)
    let hasReturned = DispatchSemaphore(value: 0)
    let recorder = FlightRecorder(of: bus)
    let cancellable = try recorder.write(to: path, rotatingAt: 1, keeping: 1) { _ in
      guard let writing = writing.take() else { return }
      writing.cancel()
      hasReturned.signal()
    }
    writing.exchange(cancellable)
    try blockRotation()
    for number in 0..<10 { recorder.note("\(number)") }
    expectNoDifference(hasReturned.wait(timeout: .now() + .seconds(300)), .success)
    #expect(cancellable.isCancelled)
  }

  /// Blocks the rotation of a file: it can't be renamed to the name of a directory.
  private func blockRotation(of name: String = "flight") throws {
    try FileManager.default.createDirectory(
      atPath: directory.path("\(name).1"),
      withIntermediateDirectories: false
    )
  }

  @Test("A file that can't be written at the start is an error, and remains as it is")
  func unwritten() throws {
    directory.write(sampleLines.utf8, to: "flight")
    try blockRotation()
    let recorder = FlightRecorder(of: bus)
    #expect(throws: FlightFileError(.unwritable(errno: EISDIR), path)) {
      try recorder.write(to: path, rotatingAt: 100, keeping: 1)
    }
    expectNoDifference(directory.bytes("flight"), Array(sampleLines.utf8))
  }

  @Test("A failure is reported on the queue; at the end again, by the thread that waits for it")
  func failsAtTheEnd() throws {
    let threads = Collector<ObjectIdentifier>()
    let recorder = FlightRecorder(of: bus)
    let writing = try recorder.write(to: path, rotatingAt: 1, keeping: 1) { _ in
      threads(currentThread())
    }
    try blockRotation()
    for number in 0..<10 { recorder.note("\(number)") }
    #expect(eventually { !threads.values.isEmpty })
    writing.cancel()
    expectNoDifference(threads.values.count, 2)
    #expect(threads.values.first != currentThread() && threads.values.last == currentThread())
  }

  @Test("After a failure, a record causes an attempt after the interval, a second")
  func retries() throws {
    expectNoDifference(FlightRecorder.retryInterval, .seconds(1))
    for (name, interval) in [("waits", Duration.seconds(3_600)), ("retries", .zero)] {
      let recorder = FlightRecorder(of: bus)
      let writer = try recorder.writer(
        to: directory.path(name),
        limit: 1,
        keeping: 1,
        retryInterval: interval
      ) { _ in }
      try blockRotation(of: name)
      for note in ["a", "b"] { recorder.note(note) }
      writer.flush()
      try FileManager.default.removeItem(atPath: directory.path("\(name).1"))
      recorder.note("c")
      // As the queue does after each record.
      writer.write()
      expectNoDifference(directory.names.contains("\(name).1"), name == "retries")
      writer.end()
    }
  }
}
