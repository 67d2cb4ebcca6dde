public import ReactiveLifecycle

extension Countdown {
  /// A countdown in a form that outlives the process.
  ///
  /// Store it when the countdown was started, paused, extended or cancelled, and when ``ends`` has
  /// reported its end; with ``BackgroundBehavior/pause``, also when the process enters the
  /// background and the foreground. Ticks need not be stored: they do not move the end.
  ///
  /// ```swift
  /// let stored = try JSONEncoder().encode(rental.record)
  /// // In the next process:
  /// let record = try JSONDecoder().decode(Countdown.Record.self, from: stored)
  /// rental = Countdown(restoring: record, of: bus)
  /// ```
  ///
  /// A running countdown has its deadline on two clocks. Under the same boot of the machine, the
  /// continuous clock decides, and setting the wall clock changes nothing. After a restart, only
  /// the wall clock is left, which may have been set; the state then indicates that the remaining
  /// time is not verified. In neither case is more time left than when the record was made.
  ///
  /// A countdown that is held in the background by ``BackgroundBehavior/pause`` has no deadline. In
  /// the next process it is held until the phase is known, and continues in the foreground from its
  /// remaining time, as if the process had not been in the foreground since. A record that is made
  /// while the phase is `unknown` is one of the background, because the process may turn out to be
  /// there.
  public struct Record: Sendable, Hashable, Codable {
    /// The end of a countdown, on two clocks.
    public struct Deadline: Sendable, Hashable, Codable {
      /// The end on the continuous clock.
      public var continuous: ContinuousInstant
      /// The end on the wall clock: the time since 1970-01-01 00:00 UTC.
      public var timeSince1970: Duration
      /// The boot that the continuous clock counts from.
      public var bootID: BootID?

      /// Creates a deadline, for tests and other stores.
      public init(continuous: ContinuousInstant, timeSince1970: Duration, bootID: BootID?) {
        self.continuous = continuous
        self.timeSince1970 = timeSince1970
        self.bootID = bootID
      }
    }

    /// The whole duration, for ``Countdown/restart()``.
    public var duration: Duration
    public var status: Status
    /// The remaining time when the record was made.
    public var remaining: Duration
    /// The end of a countdown that is counting; nil for others, such as one that is held in the
    /// background.
    public var deadline: Deadline?
    public var isClockTrusted: Bool
    /// A Boolean value that indicates whether the countdown has finished, and no subscriber of
    /// ``Countdown/ends`` has received the end: the first one in the next process receives it.
    public var isEndPending: Bool

    /// Creates a record, for tests and other stores.
    public init(
      duration: Duration,
      status: Status,
      remaining: Duration,
      deadline: Deadline? = nil,
      isClockTrusted: Bool = true,
      isEndPending: Bool = false
    ) {
      self.duration = duration
      self.status = status
      self.remaining = remaining
      self.deadline = deadline
      self.isClockTrusted = isClockTrusted
      self.isEndPending = isEndPending
    }

    /// A Boolean value that indicates whether the record is one of a countdown that is held in the
    /// background.
    var isHeld: Bool { status == .running && deadline == nil }

    /// Returns the remaining time at another moment, possibly of another boot, and whether it is
    /// verified.
    func remaining(
      at now: LifecycleInstant,
      boot: BootID?
    ) -> (duration: Duration, isClockTrusted: Bool) {
      guard status == .running, let deadline else { return (max(remaining, .zero), isClockTrusted) }
      let rest = deadline.continuous - now.continuous
      // In another time namespace, the clock may leave more time than before although the boot is
      // the same.
      let isVerifiable = boot != nil && deadline.bootID == boot && rest <= remaining
      let duration =
        isVerifiable ? rest : deadline.timeSince1970.clamped - now.timeSince1970.clamped
      return (max(min(duration, remaining), .zero), isClockTrusted && isVerifiable)
    }
  }

  /// A record of the countdown as it is now, to be stored.
  ///
  /// Thread-safe.
  public var record: Record {
    let bus = core.queue.bus
    let now = bus.clock.now
    return core.queue.record(of: core, at: now, boot: bus.clock.bootID)
  }

  /// Creates a countdown that continues from a record.
  ///
  /// A countdown that was running runs. If its time has elapsed in the meantime, it has finished.
  ///
  /// ```swift
  /// rental = Countdown(restoring: record, of: bus)
  /// ```
  ///
  /// - Parameters:
  ///   - record: The record that was stored. Its durations are treated like those of
  ///     ``init(_:of:tickInterval:inBackground:fileID:filePath:line:column:)``.
  ///   - bus: The bus, as in that initializer.
  ///   - tickInterval: The time between two ticks, as in that initializer.
  ///   - behavior: The behavior in the background, as in that initializer. The record does not
  ///     contain it.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public convenience init(
    restoring record: Record,
    of bus: some LifecycleBusProtocol,
    tickInterval: Duration? = .seconds(1),
    inBackground behavior: BackgroundBehavior = .catchUp,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      record.duration,
      of: bus,
      tickInterval: tickInterval,
      inBackground: behavior,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
    let clock = bus.core.clock
    let now = clock.now
    let (remaining, isClockTrusted) = record.remaining(at: now, boot: clock.bootID)
    core.queue.restore(
      core,
      from: record,
      remaining: remaining.nanosecondsRoundedUp,
      isClockTrusted: isClockTrusted,
      at: now.continuous.timeSinceBoot.nanoseconds
    )
  }
}

// Encoded and dumped, a deadline has a reading for each clock, as a `LifecycleInstant` has.

extension Countdown.Record.Deadline {
  private enum CodingKeys: String, CodingKey {
    case continuous
    case timeSince1970 = "wall"
    case bootID
  }
}

extension Countdown.Record.Deadline: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "continuous": continuous, "wall": Seconds(timeSince1970), "bootID": bootID as Any,
      ],
      displayStyle: .struct
    )
  }
}

// A `Duration` would be shown as it is stored: as two halves of a number of attoseconds.
extension Countdown.Record: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "duration": Seconds(duration),
        "status": status,
        "remaining": Seconds(remaining),
        "deadline": deadline as Any,
        "isClockTrusted": isClockTrusted,
        "isEndPending": isEndPending,
      ],
      displayStyle: .struct
    )
  }
}
