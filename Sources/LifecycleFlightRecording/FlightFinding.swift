public import LifecycleCore

/// Something unusual in a recording.
///
/// ```swift
/// for finding in try FlightFile(contentsOf: path).findings() { print(finding) }
/// ```
///
/// ```text
/// processSignals repeated didBecomeActive 3 times; the repetitions were suppressed.
/// The run has no end: the process was killed, or still ran when the recording was written.
/// ```
public struct FlightFinding: Sendable, Equatable {
  /// What is unusual.
  @nonexhaustive
  public enum Content: Sendable, Hashable {
    /// A line of the file can't be read, for this reason.
    case damagedLine(number: Int, reason: String)
    /// Records were dropped: before the start of the recording, or between two parts of the run.
    case droppedRecords(Int)
    /// A source repeated the report before it; nil is the program itself.
    case duplicate(LifecycleEvent.Kind, source: LifecycleSourceName?)
    /// A source reported the end of something that had not begun, or the other way round, such as
    /// `willResignActive` without a `didBecomeActive` before it; nil is the program itself.
    ///
    /// Of the notices, sleep and protected data are compared: a beginning with the ends of all
    /// sources, and an end with the beginnings of its own source, if it ever reported one.
    /// Something that has not ended at the end of the run is no finding.
    case mismatch(LifecycleEvent.Kind, source: LifecycleSourceName?)
    /// A report moved its own source alone, because another one determines the phase; nil is the
    /// program itself.
    case masked(LifecycleEvent.Kind, source: LifecycleSourceName?)
    /// A source reported something after its connection had been cancelled, or after the end; nil
    /// is the program itself.
    case late(LifecycleEvent.Kind, source: LifecycleSourceName?)
    /// The wall clock was set by this distance, forward if it is positive.
    case clockChange(Duration)
    /// The machine slept, for this time in total.
    case machineSleep(total: Duration)
    /// The process was paused without notice; the text that the source added on the first pause.
    case pause(metadata: [String: String])
    /// Memory was low.
    case memoryWarning
    /// The process was in the background for longer than the limit; the longest stay. One that no
    /// return ends counts until the end of the run.
    case longStay(longest: Duration)
    /// The deadline for the observers of an event passed while this one ran. Its location is empty
    /// if it is not known, or if the bus had not reached any.
    case overrun(LifecycleEvent.Kind, LifecycleObserverLocation)
    /// A background task expired, or was released before it was ended, or a fetch failed: an
    /// activity with this outcome.
    case badEnd(FlightActivity.Kind, name: String, outcome: String)
    /// A background task or a fetch was still under way at the end. A countdown may last longer
    /// than the run.
    case noEnd(FlightActivity.Kind, name: String)
    /// Observers that one line registered three times or more, with more than a second in between,
    /// were still registered at the end: probably a leak. Fewer may be there for the whole run.
    case remainingObservers(LifecycleObserverLocation)
    /// The run has neither a `willTerminate`, nor the end of the bus, nor the exit of the process:
    /// it was killed, or still ran when the recording was written.
    case noTermination
  }

  /// What is unusual.
  public var content: Content
  /// The number of the run in its file, from 1; 0 for a damaged line.
  public var run: Int
  /// The instant at which it was found first; nil for a damaged line.
  public var instant: LifecycleInstant?
  /// How many times it was found.
  public var count: Int

  /// Creates a finding.
  package init(_ content: Content, run: Int = 1, at instant: LifecycleInstant?, count: Int = 1) {
    self.content = content
    self.run = run
    self.instant = instant
    self.count = count
  }
}

extension FlightFile {
  /// Returns what is unusual in the recordings: the damaged lines, then what was found in each run,
  /// in order of occurrence.
  ///
  /// ```swift
  /// let findings = try FlightFile(contentsOf: path).findings()
  /// if findings.isEmpty { print("Nothing unusual.") }
  /// ```
  ///
  /// - Parameter stayLimit: The duration above which a stay in the background is a finding; a day
  ///   by default.
  /// - Returns: The findings. Those of one kind within a run are one, with their count. Recordings
  ///   that continue each other, as in a file that was rotated, are one run.
  public func findings(stayLimit: Duration = .seconds(86_400)) -> [FlightFinding] {
    var collector = FindingsCollector(stayLimit: stayLimit)
    for damage in damage { collector.take(.damage(damage)) }
    for recording in recordings { collector.take(recording) }
    return collector.finish()
  }
}

extension FlightRecording {
  /// Returns what is unusual in the recording, in order of occurrence.
  ///
  /// ```swift
  /// let findings = recorder.recording.findings()
  /// #expect(!findings.contains { $0.content == .noTermination })
  /// ```
  ///
  /// - Parameter stayLimit: The duration above which a stay in the background is a finding; a day
  ///   by default.
  /// - Returns: The findings. Those of one kind are one, with their count.
  public func findings(stayLimit: Duration = .seconds(86_400)) -> [FlightFinding] {
    var collector = FindingsCollector(stayLimit: stayLimit)
    collector.take(self)
    return collector.finish()
  }
}

extension FlightFinding: CustomStringConvertible {
  /// A sentence, such as `The machine slept for 7 h 30 min.`
  public var description: String {
    switch content {
    case .damagedLine(let number, let reason):
      "Line \(number): \(reason)"
    case .droppedRecords(let count):
      """
      The recording is not complete: \(records(count)) before this \
      \(count == 1 ? "was" : "were") dropped.
      """
    case .duplicate(let kind, let source):
      """
      \(name(source)) repeated \(kind)\(times); the \
      \(count == 1 ? "repetition was" : "repetitions were") suppressed.
      """
    case .mismatch(let kind, let source):
      "\(name(source)) reported \(kind)\(times) \(kind.missingCounterpart)."
    case .masked(let kind, let source):
      """
      \(kind) of \(name(source, isFirst: false)) had no effect\(times), because another source \
      determined the phase.
      """
    case .late(let kind, let source):
      "\(name(source)) reported \(kind)\(times) after its connection, or the bus, had ended."
    case .clockChange(let shift):
      shift < .zero
        ? "The clock was set back by \((.zero - shift).shortText)."
        : "The clock was set forward by \(shift.shortText)."
    case .machineSleep(let total):
      count == 1
        ? "The machine slept for \(total.shortText)."
        : "The machine slept \(count) times, \(total.shortText) in total."
    case .pause(let metadata):
      "The process was paused without notice\(times)\(details(metadata))."
    case .memoryWarning: "Memory was low\(times)."
    case .longStay(let longest):
      count == 1
        ? "The process was in the background for \(longest.shortText)."
        : "The process was in the background for a long time\(times), at most \(longest.shortText)."
    case .overrun(let kind, let location):
      """
      The deadline of \(kind) passed\(times) \
      \(location.fileID == nil ? "before the observers had returned" : "in the observer from \(location)").
      """
    case .badEnd(.backgroundTask, let name, "released"):
      """
      The \(FlightActivity.Kind.backgroundTask.title(name)) was released\(times) before it was \
      ended.
      """
    case .badEnd(let kind, let name, let outcome):
      "The \(kind.title(name)) ended as \(outcome)\(times)."
    case .noEnd(let kind, let name):
      count == 1
        ? "The \(kind.title(name)) was still under way at the end."
        : "\(count) \(kind.title(name, count: count)) were still under way at the end."
    case .remainingObservers(let location):
      """
      \(count) observers from \(location) were still registered at the end: each appearance may \
      leave one behind.
      """
    case .noTermination:
      "The run has no end: the process was killed, or still ran when the recording was written."
    }
  }

  private var times: String { count == 1 ? "" : " \(count) times" }

  private func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }

  private func name(_ source: LifecycleSourceName?, isFirst: Bool = true) -> String {
    source.map { "\($0)" } ?? (isFirst ? "The program" : "the program")
  }

  private func details(_ metadata: [String: String]) -> String {
    guard !metadata.isEmpty else { return "" }
    let texts = metadata.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return " (\(count == 1 ? "" : "first ")\(texts.joined(separator: ", ")))"
  }
}

extension LifecycleEvent.Kind {
  /// What is missing before a report that does not fit.
  fileprivate var missingCounterpart: String {
    switch self {
    case .willResignActive: "without a didBecomeActive before it"
    case .didEnterBackground: "without a willEnterForeground before it"
    case .willEnterForeground: "without a didEnterBackground before it"
    case .didBecomeActive: "without a willResignActive before it"
    case .systemWillSleep: "again, without a systemDidWake before it"
    case .protectedDataWillBecomeUnavailable:
      "again, without a protectedDataDidBecomeAvailable before it"
    case .systemDidWake: "without a systemWillSleep before it"
    case .protectedDataDidBecomeAvailable:
      "without a protectedDataWillBecomeUnavailable before it"
    default: "when it no longer applied"
    }
  }
}
