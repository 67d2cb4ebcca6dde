import CustomDump
import Foundation
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleFlightRecording

extension WriterTests {
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
      expectNoDifference(part.records, Array(recording.records[start.dropped..<end]))
      number = end
    }
    expectNoDifference(number, recording.records.count)
  }

  @Test("Files that it creates, also after a rotation, are the current user's alone")
  func permissions() throws {
    let recorder = FlightRecorder(of: bus)
    let writing = try recorder.write(to: path, rotatingAt: 1_000, keeping: 1)
    for number in 0..<30 { recorder.note("\(number)") }
    writing.cancel()
    expectNoDifference(directory.names, ["flight", "flight.1"])
    for name in directory.names {
      let attributes = try FileManager.default.attributesOfItem(atPath: directory.path(name))
      expectNoDifference(attributes[.posixPermissions] as? Int, 0o600)
    }
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
}
