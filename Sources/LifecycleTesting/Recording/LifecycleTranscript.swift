import LifecycleSupport
public import ReactiveLifecycle

/// The events of a test, in order: the steps of its script and the recorded values, each with the
/// time since the beginning and the phase of the process.
///
/// ```text
/// background(for: 90 s, deviceAsleep: 60 s)
///   [0 s inactive] willResignActive
///   [0 s background] didEnterBackground
///   [90 s inactive] willEnterForeground (away 90 s, asleep 60 s)
///   [90 s active] didBecomeActive
///   [90 s active] remaining: 210
/// ```
///
/// A transcript contains no addresses, no absolute times and no event numbers, so that it is the
/// same in every run.
public struct LifecycleTranscript: Sendable, Hashable {
  /// A line of a transcript.
  public enum Line: Sendable, Hashable {
    /// A step of the script.
    case step(LifecycleStep)
    /// A recorded value: the time since the beginning, the phase of the process, and the text,
    /// which may have several lines.
    case entry(time: Duration, phase: LifecyclePhase, text: String)
  }

  /// The style of the values in a transcript.
  public struct Style: Sendable, Hashable {
    /// The precision of durations, which are rounded down to whole multiples of it, except for the
    /// remaining time of a countdown, which is rounded up; nil for exact durations.
    public var precision: Duration?
    /// A Boolean value that indicates whether events are written with their sequence numbers.
    public var showsSequenceNumbers: Bool

    /// Creates a style, by default with exact durations and no sequence numbers.
    public init(precision: Duration? = nil, showsSequenceNumbers: Bool = false) {
      self.precision = precision
      self.showsSequenceNumbers = showsSequenceNumbers
    }
  }

  /// The lines, in order.
  public var lines: [Line]

  /// Creates a transcript of the given lines.
  public init(_ lines: [Line] = []) {
    self.lines = lines
  }
}

extension LifecycleTranscript: CustomStringConvertible {
  /// The lines in the format of snapshots.
  public var description: String {
    lines.map(\.description).joined(separator: "\n")
  }
}

extension LifecycleTranscript.Line: CustomStringConvertible {
  public var description: String {
    switch self {
    case .step(let step):
      return step.description
    case .entry(let time, let phase, let text):
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return "  [\(time.text) \(phase)] \(lines.joined(separator: "\n    "))"
    }
  }
}

/// A value with a transcript that ``expectLifecycle(_:matches:fileID:filePath:line:column:)`` can
/// compare.
public protocol LifecycleTranscriptConvertible {
  /// The values that were recorded so far.
  var transcript: LifecycleTranscript { get }
}

extension LifecycleTranscript: LifecycleTranscriptConvertible {
  public var transcript: LifecycleTranscript { self }
}
