import BenchmarkSupport
import Foundation
import Subprocess

/// One of the programs that are compared.
struct Peer {
  /// The name of the program, and in its rows' identifiers.
  let name: String
  /// The colour of its lines, as red, green and blue up to 255.
  let colour: [Double]
  /// The same on dark paper.
  let colourOnDark: [Double]
  /// Whether it is this project's, whose lines stand out.
  var isOurs = false

  /// Every peer, in the order of the tables.
  static let all = [
    Peer(name: "closure-loop", colour: [0, 0, 0], colourOnDark: [237, 237, 240]),
    Peer(name: "open-combine", colour: [217, 95, 2], colourOnDark: [255, 160, 87]),
    Peer(name: "notification-center", colour: [27, 140, 90], colourOnDark: [72, 200, 145]),
    Peer(name: "system-timers", colour: [120, 110, 100], colourOnDark: [180, 170, 160]),
    Peer(name: "file-writes", colour: [100, 60, 140], colourOnDark: [190, 150, 230]),
    Peer(
      name: "lifecycle-bus",
      colour: [20, 70, 200],
      colourOnDark: [108, 180, 255],
      isOurs: true
    ),
  ]

  /// Runs the program for a column, and reads what it prints. Its errors go to the standard error.
  func measure(
    _ column: Column,
    in folder: URL,
    secondsPerRow: Double
  ) async throws(CompareError) -> [BenchmarkOutput.Row] {
    let path = folder.appending(path: name).path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw .peerMissing(name, folder: folder.path)
    }
    let json = try await output(
      of: path,
      ["--filter", column.filter, "--min-time", "\(secondsPerRow)"]
    )
    do {
      return try JSONDecoder().decode(BenchmarkOutput.self, from: Data(json.utf8)).benchmarks
    } catch {
      throw .outputUnreadable(name, reason: "\(error)")
    }
  }

  private func output(of path: String, _ arguments: [String]) async throws(CompareError) -> String {
    let result: ExecutionResult<Void, StringOutput<UTF8>, FileDescriptorOutput>
    do {
      result = try await run(
        .path(.init(path)),
        arguments: Arguments(arguments),
        output: .string(limit: 1 << 20),
        error: .currentStandardError
      )
    } catch {
      throw .peerFailed(name, reason: "\(error)")
    }
    switch result.terminationStatus {
    case .exited(0): return result.standardOutput
    case .exited(1): throw .peerFoundMismatch(name)
    case let status: throw .peerFailed(name, reason: "\(status)")
    }
  }
}
