import CustomDump
import Foundation
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleFlightRecording

@Suite("Recording continuously")
struct WriterTests {
  private let directory = TemporaryDirectory()
  private let bus = NonisolatedLifecycleBus(clock: ManualClock())
  private var path: String { directory.path("flight") }

  private func file(_ name: String = "flight") throws -> FlightFile {
    try FlightFile(contentsOf: directory.path(name))
  }

  /// Waits until the file has that many records.
  private func waitForRecords(_ count: Int) throws {
    for _ in 0..<60_000 {
      if try file().recordings.reduce(0, { $0 + $1.records.count }) >= count { return }
      usleep(1_000)
    }
    Issue.record("\(try file().recordings.map(\.records.count))")
  }

  /// Runs a closure on two threads, which are not those that the tests need.
  private func startThreads(_ body: @escaping @Sendable (Int) -> Void) -> DispatchGroup {
    let group = DispatchGroup()
    for number in 1...2 {
      group.enter()
      Thread {
        body(number)
        group.leave()
      }
      .start()
    }
    return group
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
    #expect(recording == recorder.recording)
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

  @Test("Files rotate, each can be read alone, and the oldest is deleted")
  func rotates() throws {
    let recorder = FlightRecorder(of: bus)
    let writing = try recorder.write(to: path, rotatingAt: 2_000, keeping: 2)
    for number in 0..<100 {
      bus.send(number.isMultiple(of: 2) ? .didBecomeActive : .willResignActive)
    }
    writing.cancel()
    expectNoDifference(directory.names, ["flight", "flight.1", "flight.2"])
    let recording = recorder.recording
    var number: Int?
    for name in ["flight.2", "flight.1", "flight"] {
      #expect(directory.bytes(name).count <= 2_000)
      let part = try #require(try file(name).recordings.first)
      #expect(number == nil || part.start.dropped == number)
      var start = recording.start
      for record in recording.records.prefix(part.start.dropped) { start.advance(past: record) }
      start.dropped = part.start.dropped
      #expect(part.start == start && part.start.phase != .unknown)
      let end = start.dropped + part.records.count
      #expect(part.records == Array(recording.records[start.dropped..<end]))
      number = end
    }
    #expect(number == recording.records.count)
  }

  @Test("A gap that a failed rotation has left is filled before an older file is deleted")
  func fillsGap() throws {
    let series = FileSeries(path: path, olderCount: 4)
    for name in ["flight", "flight.1", "flight.3", "flight.4"] {
      directory.write(name.utf8, to: name)
    }
    func contents() -> [String] {
      directory.names.map { String(decoding: directory.bytes($0), as: UTF8.self) }
    }
    try series.rotate()
    expectNoDifference(directory.names, ["flight.1", "flight.2", "flight.3", "flight.4"])
    expectNoDifference(contents(), ["flight", "flight.1", "flight.3", "flight.4"])
    directory.write("new".utf8, to: "flight")
    try series.rotate()
    expectNoDifference(contents(), ["new", "flight", "flight.1", "flight.3"])
    try FileManager.default.removeItem(atPath: directory.path("flight.1"))
    directory.write("last".utf8, to: "flight")
    try series.rotate()
    expectNoDifference(contents(), ["last", "flight", "flight.1", "flight.3"])
  }

  @Test("Without older files, the file is replaced")
  func keepsNone() throws {
    let recorder = FlightRecorder(of: bus)
    let writing = try recorder.write(to: path, rotatingAt: 1_000, keeping: 0)
    for number in 0..<50 { recorder.note("\(number)") }
    writing.cancel()
    expectNoDifference(directory.names, ["flight"])
    #expect(try file().recordings[0].records.last?.content == .note("49"))
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
    recorder.note("first")
    writer.flush()
    // No record wakes the writer, as if the queue had no time.
    recorder.setWake(nil, of: ObjectIdentifier(writer))
    for number in 0..<100 { recorder.note("\(number)") }
    writer.end()
    let file = try file()
    #expect(file.damage.isEmpty)
    #expect(file.recordings.map(\.start.dropped) == [0, 91])
    #expect(file.recordings.map(\.records.count) == [1, 10])
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
    let recorder = FlightRecorder(of: bus)
    let cancellable = try recorder.write(to: path, rotatingAt: 1, keeping: 1) { _ in
      writing.take()?.cancel()
    }
    writing.exchange(cancellable)
    try FileManager.default.createDirectory(
      atPath: directory.path("flight.1"),
      withIntermediateDirectories: false
    )
    for number in 0..<10 { recorder.note("\(number)") }
    for _ in 0..<60_000 where !cancellable.isCancelled { usleep(1_000) }
    #expect(cancellable.isCancelled)
  }

  @Test("While many threads record, the end writes what was accepted before, and waits for no more")
  func manyThreads() throws {
    let recorder = FlightRecorder(of: bus, capacity: 1_000_000)
    let writing = try recorder.write(to: path, rotatingAt: 200_000, keeping: 10_000)
    let isDone = SharedFlag()
    let record: @Sendable (Int) -> Void = { thread in
      for number in 0..<200_000 {
        if isDone.isOn { break }
        recorder.note("\(thread) \(number)")
      }
    }
    let threads = startThreads(record)
    while recorder.next < 1_000 { usleep(100) }
    let before = recorder.next
    writing.cancel()
    isDone.set(true)
    threads.wait()
    // Otherwise it has ended after the others.
    #expect(recorder.next < 400_000)
    var records: [FlightRecord] = []
    let names = directory.names.sorted { Int($0.dropFirst(7)) ?? 0 > Int($1.dropFirst(7)) ?? 0 }
    for name in names { records += try file(name).recordings.flatMap(\.records) }
    #expect(records.count >= before)
    #expect(records == Array(recorder.recording.records.prefix(records.count)))
  }

  @Test("A writer that ends while other threads send is not released on them")
  func endsWhileOthersSend() throws {
    let isDone = SharedFlag()
    let bus = bus
    let threads = startThreads { _ in
      while !isDone.isOn {
        bus.send(.systemDidWake)
        // The lock of the bus is not fair: the thread that ends the writers must get it, too.
        usleep(10)
      }
    }
    defer { isDone.set(true) }
    for _ in 0..<200 {
      try FlightRecorder(of: bus, capacity: 4).write(to: path, keeping: 0).cancel()
    }
    isDone.set(true)
    threads.wait()
    #expect(try !file().recordings.isEmpty)
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
    for _ in 0..<60_000 where recorder != nil || writer != nil { usleep(1_000) }
    #expect(recorder == nil && writer == nil)
  }
}
