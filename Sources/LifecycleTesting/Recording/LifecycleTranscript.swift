import LifecycleSupport
public import ReactiveLifecycle

/// What happened in a test, in order: the steps of its script, and what was recorded, each with the time
/// since the beginning and the phase of the process.
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
/// It has no addresses, no absolute times and no numbers of events, so that it is the same in every run.
public struct LifecycleTranscript: Sendable, Hashable {
  /// A line of a transcript.
  public enum Line: Sendable, Hashable {
    /// A step of the script.
    case step(LifecycleStep)
    /// What was recorded: the time that had passed since the beginning, the phase of the process, and
    /// the text, which may have several lines.
    case entry(time: Duration, phase: LifecyclePhase, text: String)
  }

  /// How values are written.
  public struct Style: Sendable, Hashable {
    /// Durations are rounded down to whole multiples of that, except for what remains of a countdown, which
    /// is rounded up; nil for exact ones.
    public var precision: Duration?
    /// Whether events have their sequence numbers.
    public var showsSequenceNumbers: Bool

    /// Exact durations and no sequence numbers, unless something else is asked for.
    public init(precision: Duration? = nil, showsSequenceNumbers: Bool = false) {
      self.precision = precision
      self.showsSequenceNumbers = showsSequenceNumbers
    }
  }

  /// The lines, in order.
  public var lines: [Line]

  /// A transcript of the given lines.
  public init(_ lines: [Line] = []) {
    self.lines = lines
  }
}

extension LifecycleTranscript: CustomStringConvertible {
  /// The lines as snapshots have them.
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

/// Something that has a transcript, which
/// ``expectLifecycle(_:matches:fileID:filePath:line:column:)`` compares.
public protocol LifecycleTranscriptConvertible {
  /// What was recorded so far.
  var transcript: LifecycleTranscript { get }
}

extension LifecycleTranscript: LifecycleTranscriptConvertible {
  public var transcript: LifecycleTranscript { self }
}

/// A transcript that several recorders write to, on any thread.
final class TranscriptLog: Sendable {
  private struct State {
    var lines: [LifecycleTranscript.Line] = []
    var takenCount = 0
  }

  private let state = Locked(State())

  var transcript: LifecycleTranscript { LifecycleTranscript(state.withLock { $0.lines }) }

  func append(_ line: LifecycleTranscript.Line) {
    state.withLock { $0.lines.append(line) }
  }

  /// The lines that were not taken yet.
  func take() -> LifecycleTranscript {
    state.withLock { state in
      let rest = state.lines.dropFirst(state.takenCount)
      state.takenCount += rest.count
      return LifecycleTranscript(Array(rest))
    }
  }
}
