package import LifecycleCore
public import LifecycleFlightRecording
import LifecycleSupport

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
  package enum Line: Sendable, Hashable {
    /// A step of the script.
    case step(LifecycleStep)
    /// A recorded value: the time since the beginning, the phase of the process, and the text,
    /// which may have several lines.
    case entry(time: Duration, phase: LifecyclePhase, text: String)
  }

  /// The lines, in order.
  package var lines: [Line]

  /// Creates a transcript of the given lines.
  package init(_ lines: [Line] = []) {
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
  package var description: String {
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

/// The source of the time and the phase of recorded values.
struct TranscriptContext: Sendable {
  /// The time since the beginning.
  let elapsed: @Sendable () -> Duration
  let phase: @Sendable () -> LifecyclePhase
}

extension TranscriptContext {
  /// Creates a context with the time from now on by the clock of a bus, and its phase as long as
  /// the bus exists.
  init(_ bus: some LifecycleBusProtocol) {
    let clock = bus.core.clock
    let start = clock.continuous
    self.init(
      elapsed: { clock.continuous - start },
      phase: { [weak bus] in bus?.phase ?? .terminated }
    )
  }
}

/// A transcript that several recorders write to, on any thread.
final class TranscriptLog: Sendable {
  private struct State {
    var lines: [LifecycleTranscript.Line] = []
    var takenCount = 0
    /// The properties that changed and were not read, in the order of their changes.
    var unread: [any UnreadChanges] = []
  }

  private let state = Locked(State())

  var transcript: LifecycleTranscript {
    readChanges()
    return LifecycleTranscript(state.withLock { $0.lines })
  }

  /// Appends a line, after the changes that happened before.
  func append(_ line: LifecycleTranscript.Line) {
    readChanges()
    state.withLock { $0.lines.append(line) }
  }

  /// Returns the lines that were not taken yet.
  func take() -> LifecycleTranscript {
    readChanges()
    return state.withLock { state in
      let rest = state.lines.dropFirst(state.takenCount)
      state.takenCount += rest.count
      return LifecycleTranscript(Array(rest))
    }
  }

  func addUnread(_ changes: any UnreadChanges) {
    state.discard { state in
      let old = state.unread
      state.unread = old.filter { $0 !== changes } + [changes]
      return old
    }
  }

  /// Drops the changes of recorders that were cancelled, which are not read.
  func dropCancelled() {
    let cancelled = state.withLock { $0.unread }.filter(\.isCancelled)
    guard !cancelled.isEmpty else { return }
    state.discard { state in
      let old = state.unread
      state.unread = old.filter { one in !cancelled.contains { $0 === one } }
      return old
    }
  }

  /// Reads the properties that have changed, for a task that waits for it, on the main actor.
  func readChangesLater() {
    guard state.withLock({ !$0.unread.isEmpty }) else { return }
    Task { @MainActor in readChanges() }
  }

  /// Reads the properties that have changed, which appends a line for each.
  func readChanges() {
    let unread = state.withLock { state in
      defer { state.unread = [] }
      return state.unread
    }
    let rest = unread.filter { !$0.readChange() }
    guard !rest.isEmpty else { return }
    state.discard { state in
      let later = state.unread
      state.unread = rest + later.filter { one in !rest.contains { $0 === one } }
      return later
    }
  }
}

extension FlightRecording: LifecycleTranscriptConvertible {
  /// The events and the suppressed inputs of the recording, as a scripted lifecycle writes
  /// them. The time is that since the start of the recording.
  ///
  /// ```swift
  /// expectLifecycle(recording, matches: "  [0 s background] didFinishLaunching (manual)")
  /// ```
  public var transcript: LifecycleTranscript {
    LifecycleTranscript(transcriptLines.map(\.line))
  }

  /// The lines of the transcript, each with the position of its record.
  var transcriptLines: [(record: Int, line: LifecycleTranscript.Line)] {
    var lines: [(Int, LifecycleTranscript.Line)] = []
    var names = Dictionary(start.sources.map { ($0.id, $0.name) }) { $1 }
    var phase = start.phase
    var time = Duration.zero
    for (position, record) in records.enumerated() {
      // An input may have been sent with an earlier instant.
      time = max(time, start.instant.continuous.duration(to: record.instant.continuous))
      let text: String
      switch record.content {
      case .connected(let source):
        names[source.id] = source.name
        continue
      case .event(let event):
        phase = event.phase
        text = transcriptText(of: event)
      case .input(let input):
        guard let suppressed = SuppressedInput(input, names, at: record.instant) else { continue }
        text = transcriptText(of: suppressed)
      case .disconnected, .observerAdded, .observerRemoved, .overrun, .activity, .note, .ended:
        continue
      }
      lines.append((position, .entry(time: time, phase: phase, text: text)))
    }
    return lines
  }
}

extension SuppressedInput {
  /// Creates the suppressed input of a recorded one; nil if observers received it.
  fileprivate init?(
    _ input: FlightInput,
    _ names: [Int: LifecycleSourceName],
    at instant: LifecycleInstant
  ) {
    guard let reason = input.suppressed else { return nil }
    let source = names[input.source] ?? .unrecorded(input.source)
    self.init(
      kind: input.kind,
      reason: reason,
      origin: input.source == 0 ? .manual : .source(source),
      instant: instant
    )
  }
}
