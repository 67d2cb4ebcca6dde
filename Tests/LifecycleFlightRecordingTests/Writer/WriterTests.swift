import CustomDump
import Foundation
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
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

  /// A writer whose records are written when a test says so.
  private func writer(
    _ recorder: FlightRecorder,
    _ name: String = "flight",
    limit: Int = .max,
    retryInterval: Duration = .zero,
    _ onFailure: @escaping @Sendable (FlightFileError) -> Void = { _ in }
  ) throws -> FlightRecordingWriter {
    try FlightRecordingWriter(
      recorder,
      to: directory.path(name),
      limit: limit,
      keeping: limit == .max ? 0 : 1,
      retryInterval: retryInterval,
      onFailure
    )
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

  @Test("At the end or the release of the bus everything is written before the call returns")
  func endOfTheBus() throws {
    for name in ["ended", "released"] {
      var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: ManualClock())
      let recorder = FlightRecorder(of: bus!)
      let writing = try recorder.write(to: directory.path(name))
      bus?.send(.didBecomeActive)
      if name == "ended" { bus?.send(.willTerminate) } else { bus = nil }
      expectNoDifference(try file(name).recordings, [recorder.recording])
      #expect(recorder.recording.records.contains { $0.content == .ended })
      writing.cancel()
    }
  }

  @Test("Records that were dropped before they were written are a gap between two parts")
  func missed() throws {
    let recorder = FlightRecorder(of: bus, capacity: 10)
    let writer = try writer(recorder)
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
    try FlightRecorder(of: bus).write(to: path).cancel()
    // The object keeps the recorder.
    let writing = try FlightRecorder(of: bus).write(to: path)
    bus.send(.didFinishLaunching)
    writing.cancel()
    let file = try file()
    expectNoDifference(file.recordings.map(\.records.count), [11, 0, 2])
    expectNoDifference(file.damage.map(\.line), [13])
  }

  @Test("Neither the recorder nor the writer is kept after the end")
  func releases() throws {
    weak var recorder: FlightRecorder?
    weak var writer: FlightRecordingWriter?
    do {
      let made = FlightRecorder(of: bus)
      let writing = try self.writer(made)
      (recorder, writer) = (made, writing)
      made.note("a")
      writing.end()
    }
    // The queue may hold the writer for a moment.
    #expect(eventually { recorder == nil && writer == nil })
  }

  @Test("Files rotate, each can be read alone and by its user alone, and the oldest is deleted")
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
      let size = directory.bytes(name).count
      #expect(size <= 2_000 && (size > 1_600 || name == "flight"))
      let attributes = try FileManager.default.attributesOfItem(atPath: directory.path(name))
      expectNoDifference(attributes[.posixPermissions] as? Int, 0o600)
      let part = try #require(try file(name).recordings.first)
      #expect(number == nil || part.start.dropped == number)
      var start = recording.start
      for record in recording.records.prefix(part.start.dropped) { start.advance(past: record) }
      start.dropped = part.start.dropped
      #expect(part.start == start && part.start.phase != .unknown)
      let end = start.dropped + part.records.count
      expectNoDifference(part.records, Array(recording.records[start.dropped..<end]))
      number = end
    }
    expectNoDifference(number, recording.records.count)
  }

  @Test("A gap that a failed rotation has left is filled before an older file is deleted")
  func fillsGap() throws {
    let series = FileSeries(path, olderCount: 4)
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

  @Test("A symbolic link stays: the files beside its target rotate", arguments: [0, 1])
  func rotatesBehindLink(olderFiles: Int) throws {
    let target = TemporaryDirectory()
    symlink(target.path("life"), path)
    let recorder = FlightRecorder(of: bus)
    let writing = try recorder.write(to: path, rotatingAt: 1_000, keeping: olderFiles)
    for number in 0..<50 { recorder.note("\(number)") }
    writing.cancel()
    expectNoDifference(directory.names, ["flight"])
    expectNoDifference(
      try FileManager.default.destinationOfSymbolicLink(atPath: path),
      target.path("life")
    )
    expectNoDifference(target.names, ["life", "life.1"].prefix(olderFiles + 1).map(\.self))
    #expect(try file().recordings[0].records.last?.content == .note("49"))
  }

  @Test("While threads record, the end writes what was accepted before, and waits for no more")
  func manyThreads() throws {
    let recorder = FlightRecorder(of: bus, capacity: 1_000_000)
    let writing = try recorder.write(to: path, rotatingAt: 200_000, keeping: 10_000)
    let (isEnding, isDone) = (SharedFlag(), SharedFlag())
    // Not those that the tests need.
    let threads = DispatchGroup()
    for thread in 1...2 {
      threads.enter()
      Thread {
        var number = 0
        while !isDone.isOn {
          recorder.note("\(thread) \(number)")
          number += 1
          // The thread that ends the writing must get a processor, too, however long that takes.
          usleep(isEnding.isOn ? 1_000 : 10)
        }
        threads.leave()
      }
      .start()
    }
    while recorder.next < 1_000 { usleep(100) }
    let before = recorder.next
    isEnding.set(true)
    writing.cancel()
    isDone.set(true)
    threads.wait()
    var records: [FlightRecord] = []
    let names = directory.names.sorted { Int($0.dropFirst(7)) ?? 0 > Int($1.dropFirst(7)) ?? 0 }
    for name in names { records += try file(name).recordings.flatMap(\.records) }
    #expect(records.count >= before)
    expectNoDifference(records, Array(recorder.recording.records.prefix(records.count)))
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

  enum Disturbance: CaseIterable {
    case moved, deleted, truncated, replaced, continued

    func happen(to path: String) throws {
      switch self {
      case .moved: rename(path, path + "-moved")
      case .deleted: unlink(path)
      case .truncated: truncate(path, 0)
      case .replaced:
        rename(path, path + "-moved")
        try Data().write(to: URL(filePath: path))
      case .continued:
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("another".utf8))
      }
    }
  }

  @Test(
    "A file that is disturbed is begun anew with a head, which is reported, and nothing is lost",
    arguments: Disturbance.allCases
  )
  func disturbed(_ disturbance: Disturbance) throws {
    let failures = Locked<[FlightFileError]>([])
    let recorder = FlightRecorder(of: bus)
    let writer = try writer(recorder) { error in failures.withLock { $0.append(error) } }
    bus.send(.didBecomeActive)
    writer.flush()
    let before = recorder.recording.records.count
    try disturbance.happen(to: path)
    for _ in 0..<2 {
      bus.send(.didEnterBackground)
      writer.flush()
    }
    writer.end()
    let failure = FlightFileError(.changedByAnotherProgram, path)
    expectNoDifference(failures.withLock { $0 }, [failure])
    expectNoDifference(
      failure.description,
      """
      The recording \(path) was moved, deleted, or changed by another program, so it begins anew at \
      the path. Exclude it from rotation by other programs, such as logrotate.
      """
    )
    let (records, last) = (recorder.recording.records, try #require(try file().recordings.last))
    expectNoDifference(last.start.dropped, before)
    #expect(last.start.phase == .active && last.records == Array(records[before...]))
    let isMoved = disturbance == .moved || disturbance == .replaced
    let first = try isMoved ? file("flight-moved") : file()
    if isMoved || disturbance == .continued {
      expectNoDifference(first.recordings[0].records, Array(records[..<before]))
    }
    expectNoDifference(try file().damage.count, disturbance == .continued ? 1 : 0)
  }

  @Test("A file with room for the introduction alone is continued by the next one")
  func introductionAlone() throws {
    func record(limit: Int) throws {
      let recorder = FlightRecorder(of: bus)
      let writer = try writer(recorder, limit: limit)
      recorder.note("a record")
      writer.end()
    }
    try record(limit: .max)
    let whole = try Data(contentsOf: URL(filePath: path)).count
    try FileManager.default.removeItem(atPath: path)
    try record(limit: .max)
    // Each of the two has an introduction and a record: the second file begins with the latter.
    try record(limit: 2 * whole - 1)
    let recordings = try file("flight.1").recordings + file().recordings
    expectNoDifference(recordings.map(\.records.count), [1, 0, 1])
    expectNoDifference(recordings.runs.map { $0.flatMap(\.records).count }, [1, 1])
  }

  @Test("A relative path leads to the same file after the program has changed its directory")
  func changedDirectory() async {
    await #expect(processExitsWith: .success) {
      let directory = TemporaryDirectory()
      chdir(directory.path)
      let recorder = FlightRecorder(of: NonisolatedLifecycleBus())
      let failures = Locked<[FlightFileError]>([])
      let writing = try recorder.write(to: "flight", rotatingAt: 1, keeping: 1) { error in
        failures.withLock { $0.append(error) }
      }
      chdir("/")
      for number in 1...3 { recorder.note("\(number)") }
      writing.cancel()
      #expect(failures.withLock { $0 } == [])
      #expect(directory.names == ["flight", "flight.1"])
      let last = try FlightFile(contentsOf: directory.path("flight")).recordings.last?.records.last
      #expect(last?.content == .note("3"))
    }
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
    let writer = try writer(recorder, limit: 700) { error in
      failures.withLock { $0.append(error) }
    }
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

  @Test("A closure that receives a failure can cancel the writing")
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

  @Test("After a failure, a record is written once the retry interval has passed")
  func retries() throws {
    for (name, interval) in [("waits", Duration.seconds(3_600)), ("retries", .zero)] {
      let recorder = FlightRecorder(of: bus)
      let writer = try writer(recorder, name, limit: 1, retryInterval: interval)
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
