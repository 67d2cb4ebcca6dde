public import ReactiveLifecycle

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
public struct FlightFinding: Sendable, Hashable {
  /// What is unusual.
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
  public init(_ content: Content, run: Int = 1, at instant: LifecycleInstant?, count: Int = 1) {
    self.content = content
    self.run = run
    self.instant = instant
    self.count = count
  }
}
