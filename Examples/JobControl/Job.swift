#if canImport(Darwin)
  public import Darwin
#else
  public import Glibc
#endif

/// A process that the shell of a ``JobControlSession`` has launched.
///
/// Each status and each line is handed out once, in order; ``statuses`` and ``lines`` keep them
/// all. When a status is handed out, every line that the job wrote before it is already available.
public final class Job {
  /// The process ID, which is also the ID of the process group.
  public let processID: pid_t
  public let request: JobRequest

  /// All statuses so far.
  public private(set) var statuses: [JobStatusChange] = []

  unowned let session: JobControlSession
  private(set) var descriptor: CInt
  private var buffer = LineBuffer()
  private var statusesHandedOut = 0
  private var linesHandedOut = 0

  init(_ request: JobRequest, processID: pid_t, descriptor: CInt, session: JobControlSession) {
    self.request = request
    self.processID = processID
    self.descriptor = descriptor
    self.session = session
  }

  deinit { close() }

  public var hasEnded: Bool { statuses.last?.status.isEnd ?? false }

  /// All lines so far. Does not wait.
  public var lines: [String] {
    session.takeInAvailable()
    return buffer.lines
  }

  /// Returns the available lines that have not been handed out yet. Does not wait.
  public func takeAvailableLines() -> [String] {
    let lines = lines[linesHandedOut...]
    linesHandedOut = lines.endIndex
    return Array(lines)
  }

  /// Waits for the next status that has not been handed out yet.
  public func nextStatus(
    within timeout: Duration? = nil
  ) throws(JobControlError) -> JobStatusChange {
    try session.wait(for: "a status of \(self)", within: timeout) {
      if self.statusesHandedOut < self.statuses.count {
        defer { self.statusesHandedOut += 1 }
        return .found(self.statuses[self.statusesHandedOut])
      }
      return self.hasEnded || self.session.hasShellExited ? .impossible : .notYet
    }
  }

  /// Waits for the status with which the job ends, skipping those before it.
  public func waitUntilEnd(within timeout: Duration? = nil) throws(JobControlError) -> JobStatus {
    while true {
      let status = try nextStatus(within: timeout).status
      if status.isEnd { return status }
    }
  }

  /// Waits for the next line that has not been handed out yet; nil means that the output has ended.
  public func nextLine(within timeout: Duration? = nil) throws(JobControlError) -> String? {
    try session.wait(for: "a line of \(self)", within: timeout) {
      if self.linesHandedOut < self.buffer.lines.count {
        defer { self.linesHandedOut += 1 }
        return .found(self.buffer.lines[self.linesHandedOut])
      }
      return self.descriptor < 0 ? .found(nil) : .notYet
    }
  }

  /// Waits for a line that meets the condition, skipping those before it.
  @discardableResult
  public func nextLine(
    _ awaited: String,
    within timeout: Duration? = nil,
    where isAwaited: (String) -> Bool
  ) throws(JobControlError) -> String {
    try session.wait(for: "\(awaited) from \(self)", within: timeout) {
      while self.linesHandedOut < self.buffer.lines.count {
        defer { self.linesHandedOut += 1 }
        let line = self.buffer.lines[self.linesHandedOut]
        if isAwaited(line) { return .found(line) }
      }
      return self.descriptor < 0 ? .impossible : .notYet
    }
  }

  /// Waits until every process that could write to the job's output has ended, even if the shell no
  /// longer exists to report it, and returns all lines.
  @discardableResult
  public func waitUntilOutputEnds(
    within timeout: Duration? = nil
  ) throws(JobControlError) -> [String] {
    try session.wait(for: "the end of the output of \(self)", within: timeout) {
      self.descriptor < 0 ? .found(self.buffer.lines) : .notYet
    }
  }

  func note(_ change: JobStatusChange) {
    statuses.append(change)
  }

  func readAvailable() {
    guard descriptor >= 0 else { return }
    if readAvailableBytes(from: descriptor, { buffer.receive($0) }) == .ended {
      buffer.finish()
      closeDescriptor(&descriptor)
    }
  }

  func close() {
    closeDescriptor(&descriptor)
  }

  /// A description of the job's state so far, for error messages.
  var account: String {
    let states = statuses.map(\.status.description).joined(separator: ", ")
    let text = buffer.lines.suffix(40).map { "    \($0)" }.joined(separator: "\n")
    return "\(self): \(states.isEmpty ? "running" : states)"
      + (text.isEmpty ? "" : "\n  its last lines:\n\(text)")
  }
}

extension Job: CustomStringConvertible {
  public var description: String {
    "job \(processID) (\(request.arguments.joined(separator: " ")))"
  }
}

/// Splits a stream of bytes into lines.
struct LineBuffer {
  private(set) var lines: [String] = []
  private var partial: [UInt8] = []

  mutating func receive(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        endLine()
      } else {
        partial.append(byte)
      }
    }
  }

  /// Keeps the bytes after the last line feed as a separate line.
  mutating func finish() {
    if !partial.isEmpty { endLine() }
  }

  private mutating func endLine() {
    lines.append(String(decoding: partial, as: UTF8.self))
    partial.removeAll(keepingCapacity: true)
  }
}
