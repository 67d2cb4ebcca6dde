import LifecycleSupport

/// The recordings in a file, and the lines of it that could not be read.
///
/// ```swift
/// let file = try FlightFile(contentsOf: path)
/// for damage in file.damage { print(damage) }
/// for recording in file.recordings { print(recording.process.name, recording.records.count) }
/// ```
///
/// For what is in the file, see <doc:RecordingFormat>.
public struct FlightFile: Sendable, Hashable {
  /// Something that is wrong with a file: a line that was skipped, or lines that are missing.
  public struct Damage: Sendable, Hashable {
    /// The number of the line, from 1. If lines are missing, that of the line after them.
    public var line: Int
    /// The problem, in words.
    public var reason: String

    /// Creates a description of damage, for tests.
    public init(line: Int, reason: String) {
      self.line = line
      self.reason = reason
    }
  }

  /// The recordings, one for each run of the process, in order.
  ///
  /// A run in which records were missed has another recording after them. Records whose run is
  /// unknown, because the line that introduces it is damaged, form a recording of a process with an
  /// empty name. ``FlightRecording/joined(_:)`` joins the parts of a run that are in several files.
  public var recordings: [FlightRecording]
  /// The problems of the file, in the order of its lines; empty if every line could be read.
  public var damage: [Damage]

  /// Reads a file.
  ///
  /// Every line that can be read is kept, and every other one is in ``damage``. The file may be one
  /// that another process is writing: then the last line may be cut off.
  ///
  /// - Parameter path: The path of a file, or of a pipe.
  /// - Throws: A ``FlightFileError`` if the file can't be read, if it has more than 1 GiB, or if no
  ///   line of it is part of a recording.
  public init(contentsOf path: String) throws(FlightFileError) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try InputFile.bytes(at: path)
    } catch {
      throw FlightFileError(
        error.errno == ENOENT ? .missing : .unreadable(errno: error.errno),
        path
      )
    }
    try self.init(parsing: bytes, path: path)
  }

  /// Reads the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, as ``FlightRecording/write(to:)`` writes them.
  ///   - path: The path that a thrown error names.
  /// - Throws: A ``FlightFileError`` if no line is part of a recording.
  public init(parsing bytes: [UInt8], path: String = "") throws(FlightFileError) {
    var parser = FlightFileParser()
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.index(of: UInt8(ascii: "\n")) ?? rest.endIndex
      parser.append(rest[..<end])
      rest = rest[end...].dropFirst()
    }
    do throws(FlightFileParser.Failure) {
      self = try parser.finish()
    } catch {
      throw FlightFileError(error.problem, path)
    }
  }
}

extension FlightFile.Damage: CustomStringConvertible {
  /// The line and what is wrong with it: `line 12: it is cut off after 60 bytes`.
  public var description: String { "line \(line): \(reason)" }
}
