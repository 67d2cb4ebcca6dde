import Foundation
import Synchronization

/// A program of this package, as a child process.
final class RunningProgram: Sendable {
  /// The status of a process that has ended.
  enum End: Equatable, Sendable {
    case status(Int32)
    case signal(Int32)
  }

  let id: pid_t
  private let lines: AsyncStream<String>
  private let end: Task<End, Never>
  private let hasEnded = Flag()

  /// Starts a program: one that lies beside the tests, or at an absolute path.
  init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    let process = Process()
    process.executableURL = try URL(filePath: name, relativeTo: Self.folder)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    let (ends, end) = AsyncStream.makeStream(of: End.self)
    process.terminationHandler = { [hasEnded] process in
      hasEnded.value.store(true, ordering: .releasing)
      let status = process.terminationStatus
      end.yield(process.terminationReason == .uncaughtSignal ? .signal(status) : .status(status))
    }
    try process.run()
    id = process.processIdentifier
    self.end = Task { await ends.first { _ in true } ?? .status(-1) }
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    Thread.detachNewThread {
      var text = ""
      while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
        text += String(decoding: data, as: UTF8.self)
        while let end = text.firstIndex(of: "\n") {
          line.yield(String(text[..<end]))
          text = String(text[text.index(after: end)...])
        }
      }
      line.finish()
    }
  }

  deinit { send(SIGKILL) }

  private static var folder: URL {
    get throws {
      let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return URL(filePath: path).deletingLastPathComponent()
    }
  }

  /// Sends a signal. Has no effect if the process has ended.
  func send(_ signal: Int32) {
    if !hasEnded.value.load(ordering: .acquiring) { kill(id, signal) }
  }

  /// Waits for a line that begins with a text, and returns the rest of it. Skips others.
  func line(after start: String) async throws -> String {
    for await line in lines where line.hasPrefix(start) {
      return String(line.dropFirst(start.count))
    }
    throw Missing(text: start)
  }

  /// Waits for the end of the output, and returns the lines that have not been returned.
  func allLines() async -> [String] { await lines.reduce(into: []) { $0.append($1) } }

  /// Waits for the end of the process.
  func end() async -> End { await end.value }

  /// Sends a signal until the process has ended: the first ones may come too soon after another.
  func endBySecondSignal(_ signal: Int32) async -> End {
    let sender = Task {
      while !Task.isCancelled {
        send(signal)
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    defer { sender.cancel() }
    return await end()
  }

  private final class Flag: Sendable {
    let value = Atomic(false)
  }

  struct Missing: Error {
    let text: String
  }
}
