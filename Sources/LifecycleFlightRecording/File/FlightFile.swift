/// The recordings in a file, and the lines of it that could not be read.
public struct FlightFile: Sendable, Hashable {
  /// A line that was skipped because it is damaged.
  public struct Damage: Sendable, Hashable {
    /// The number of the line, from 1.
    public var line: Int
    /// What is wrong with it, in words.
    public var reason: String
  }

  /// The recordings, one for each run of the process, in order.
  public var recordings: [FlightRecording]
  /// The lines that were skipped, in order.
  public var damage: [Damage]

  /// Reads a file.
  ///
  /// - Throws: A ``FlightFileError`` if the file can't be read, or is no recording.
  public init(contentsOf path: String) throws(FlightFileError) {
    recordings = []
    damage = []
  }
}

/// An error that indicates why a file of recordings can't be read or written.
public struct FlightFileError: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Problem: Hashable, Sendable {
    /// There is no file at the path.
    case missing
    /// The system refused to read it, with this error number.
    case unreadable(errno: Int32)
    /// The file is no recording.
    case notARecording(reason: String)
    /// A later version of the format, which this version can't read.
    case laterVersion(Int)
    /// The system refused to write it, with this error number.
    case unwritable(errno: Int32)
  }

  /// What went wrong.
  public var problem: Problem
  /// The path of the file.
  public var path: String
}

extension FlightRecording {
  /// Writes the recording to a file, as JSON Lines. An existing file is replaced at once, when the
  /// new one is complete.
  ///
  /// - Throws: A ``FlightFileError`` if it can't be written.
  public func write(to path: String) throws(FlightFileError) {}
}
