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
    let blocked = directory.path("flight.1")
    let writer = try recorder.writer(
      to: path,
      limit: 700,
      keeping: 1,
      retryInterval: .zero
    ) { error in failures.withLock { $0.append(error) } }
    // A file can't be renamed to the name of a directory.
    try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: false)
    for number in 0..<10 {
      recorder.note("\(number)")
      writer.flush()
    }
    expectNoDifference(
      failures.withLock { $0 },
      [FlightFileError(.unwritable(errno: EISDIR), path)]
    )
    try FileManager.default.removeItem(atPath: blocked)
    recorder.note("again")
    writer.end()
    #expect(failures.withLock { $0.count } == 1)
    let records = try (file("flight.1").recordings + file().recordings).flatMap(\.records)
    #expect(try file().damage.isEmpty)
    #expect(recorder.recording.records.suffix(records.count) == records[...])
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
    try FileManager.default.createDirectory(
      atPath: directory.path("flight.1"),
      withIntermediateDirectories: false
    )
    for number in 0..<10 { recorder.note("\(number)") }
    #expect(hasReturned.wait(timeout: .now() + .seconds(300)) == .success)
    #expect(cancellable.isCancelled)
  }
}
