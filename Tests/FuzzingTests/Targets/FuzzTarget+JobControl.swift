@testable import JobControl

extension FuzzTarget {
  /// What a stream socket or a pipe delivers, after a byte that says in which pieces: messages to
  /// the shell and from it, lines of a job, and the statuses of jobs.
  static let jobControl = FuzzTarget("job-control") { bytes in
    guard let size = bytes.first.map({ Int($0 % 8) + 1 }) else { return nil }
    let stream = Array(bytes.dropFirst())
    let pieces = stride(from: 0, to: stream.count, by: size)
      .map { Array(stream[$0..<min($0 + size, stream.count)]) }
    let whole = messages([stream])
    guard whole == messages(pieces) else { return "other messages in pieces of \(size)" }
    for fields in whole ?? [] {
      if let fault = rereadingFault(fields) { return fault }
    }
    var choices = FuzzChoices(stream)
    let status = JobStatus(waitStatus: choices.number())
    guard status.isEnd || !status.description.hasPrefix("exited") else { return "\(status)" }
    return lineFault(stream, pieces)
  }

  /// Returns the messages; nil after a violation of the protocol.
  private static func messages(_ pieces: [[UInt8]]) -> [[String]]? {
    var reader = ControlMessageReader()
    do throws(JobControlError) {
      var messages: [[String]] = []
      for piece in pieces { messages += try reader.receive(piece) }
      return messages
    } catch {
      return nil
    }
  }

  /// Writes what was read, and reads it again.
  private static func rereadingFault(_ fields: [String]) -> String? {
    guard messages([ControlMessage.encode(fields)]) == [fields] else { return "other fields" }
    if let command = try? ShellCommand(fields: fields),
      (try? ShellCommand(fields: command.fields)) != command
    {
      return "another command than \(command)"
    }
    if let report = try? ShellReport(fields: fields),
      (try? ShellReport(fields: report.fields)) != report
    {
      return "another report than \(report)"
    }
    return nil
  }

  private static func lineFault(_ stream: [UInt8], _ pieces: [[UInt8]]) -> String? {
    var buffer = LineBuffer()
    for piece in pieces { buffer.receive(piece) }
    buffer.finish()
    var lines = stream.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let expected = lines.map { String(decoding: $0, as: UTF8.self) }
    return buffer.lines == expected ? nil : "\(buffer.lines) instead of \(expected)"
  }
}
