/// One thing that happened on a bus, as a `FlightRecorder` keeps it.
///
/// The bus makes the record when it accepts what happened. The module `LifecycleFlightRecording`
/// keeps, writes, reads, and explains records.
public struct FlightRecord: Sendable, Equatable {
  /// The instant at which it happened, on all clocks.
  public var instant: LifecycleInstant
  /// The content of the record.
  public var content: Content

  /// Creates a record.
  package init(_ content: Content, at instant: LifecycleInstant) {
    self.instant = instant
    self.content = content
  }

  /// The content of the record.
  @nonexhaustive
  public enum Content: Sendable, Equatable {
    /// A source was connected.
    case connected(FlightSource)
    /// The source with this number was disconnected. The same for its parts follows, then the
    /// events that this causes.
    case disconnected(source: Int)
    /// A source, or the program itself, reported something. The events that it caused follow.
    case input(FlightInput)
    /// The bus accepted an event for delivery.
    case event(LifecycleEvent)
    /// An observer or a subscriber was registered at this location. Its number is 1, 2, 3, ….
    case observerAdded(observer: Int, LifecycleObserverLocation)
    /// The observer with this number is gone.
    case observerRemoved(observer: Int)
    /// The deadline for the observers of an event passed, such as that of a stop, while the observer
    /// at this location ran. It is empty if it is not known, or if the bus had not reached any.
    case overrun(LifecycleEvent.Kind, LifecycleObserverLocation)
    /// A countdown, a background task, or a fetch changed.
    case activity(FlightActivity)
    /// A note of the program.
    case note(String)
    /// The bus ended: after its `willTerminate`, because it was released, or because the process
    /// exited.
    case ended
  }
}

/// A source of a recorded bus.
public struct FlightSource: Sendable, Equatable {
  /// The number of the source on its bus: 1, 2, 3, …. The program itself is number 0.
  public var id: Int
  /// The name of the source.
  public var name: LifecycleSourceName
  /// The effect of its reports on the phase.
  public var role: LifecycleRole
  /// The number of the source that this one is a part of; nil if it is a whole source.
  public var whole: Int?
  /// The phase that its participant has, or that a ceiling allows, when it is connected; at the
  /// start of a recording, the phase at the start.
  public var phase: LifecyclePhase

  /// Creates a source.
  package init(
    id: Int,
    name: LifecycleSourceName,
    role: LifecycleRole = .participant(.application),
    whole: Int? = nil,
    phase: LifecyclePhase = .unknown
  ) {
    self.id = id
    self.name = name
    self.role = role
    self.whole = whole
    self.phase = phase
  }
}

/// A recorded report of a source, or of the program itself.
public struct FlightInput: Sendable, Equatable {
  /// The kind of the reported event.
  public var kind: LifecycleEvent.Kind
  /// The number of the source; 0 for the program itself.
  public var source: Int
  /// The text that the source added.
  public var metadata: [String: String]
  /// The reason why no observer received it; nil if observers did.
  public var suppressed: SuppressedInput.Reason?

  /// Creates an input.
  package init(
    _ kind: LifecycleEvent.Kind,
    from source: Int,
    metadata: [String: String] = [:],
    suppressed: SuppressedInput.Reason? = nil
  ) {
    self.kind = kind
    self.source = source
    self.metadata = metadata
    self.suppressed = suppressed
  }
}

/// A recorded change of something that lasts: a countdown, a background task, or a fetch.
public struct FlightActivity: Sendable, Equatable {
  /// The kind of the activity.
  @nonexhaustive
  public enum Kind: String, Sendable, CaseIterable {
    case countdown, backgroundTask, fetch
  }

  /// A change.
  public enum Change: Sendable, Equatable {
    case began
    case paused
    case resumed
    /// It ended, with this outcome.
    ///
    /// - A countdown: `finished`, `reset`, `restarted`, or `released`.
    /// - A background task: `finished`, `expired`, `cancelled` with its scope, or `released` before
    ///   it was ended.
    /// - A fetch: its result, `newData`, `noData`, or `failed`.
    case ended(String)
  }

  /// The activity that changed.
  public var kind: Kind
  /// The number of the activity, which no other activity of the bus has. Each run of a countdown is
  /// an activity.
  public var id: Int
  /// The name that the program gave it; for a fetch, the names of its handlers; for a countdown,
  /// the location where it was created, as `Module/File.swift:12`. Empty if it was created before
  /// the recorder.
  public var name: String
  /// The change.
  public var change: Change

  /// Creates a change.
  package init(_ kind: Kind, id: Int, name: String, _ change: Change) {
    self.kind = kind
    self.id = id
    self.name = name
    self.change = change
  }
}
