import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

/// A named pipe of a test, in the place of the service manager's.
struct PressurePipe {
  let path: String

  fileprivate init(_ path: String) throws {
    self.path = path
    guard mkfifo(path, 0o666) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  func write(_ text: String) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }
}

extension JobControlSession {
  /// Calls the body with a probe with the sources of the system, which watches a pipe for memory
  /// pressure, and with that pipe.
  func withPressurePipe(
    _ options: [String] = [],
    _ body: (Probe, PressurePipe) throws -> Void
  ) throws {
    let directory = TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    let pipe = try PressurePipe(directory.path("pipe"))
    let probe = try launchSystemProbe(options, environment: ["MEMORY_PRESSURE_WATCH": pipe.path])
    expectNoDifference(probe.availability["memoryPressure"], "available, by \(pipe.path)")
    try body(probe, pipe)
  }
}
