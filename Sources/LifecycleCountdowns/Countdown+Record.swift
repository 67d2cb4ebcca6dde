public import ReactiveLifecycle

extension Countdown {
  /// A countdown as it outlives the process: to be stored when the countdown was started, paused,
  /// extended or cancelled, or has finished; ticks change nothing in it.
  ///
  /// ```swift
  /// let stored = try JSONEncoder().encode(rental.record)
  /// // In the next process:
  /// let record = try JSONDecoder().decode(Countdown.Record.self, from: stored)
  /// let restored = Countdown(restoring: record, of: bus)
  /// ```
  ///
  /// A running countdown has its deadline on two clocks. Under the same boot of the machine the
  /// continuous clock decides, and setting the wall clock changes nothing. After a restart only the wall
  /// clock is left, which may have been set: the state then says that it is not verified. In neither case
  /// does more remain than when the record was made.
  ///
  /// One that the background holds, by ``BackgroundBehavior/pause``, goes on from what remains, as if the
  /// process had not been in the foreground since.
  public struct Record: Sendable, Hashable, Codable {
    /// The end of a countdown, on two clocks.
    public struct Deadline: Sendable, Hashable, Codable {
      /// The end on the continuous clock.
      public var continuous: ContinuousInstant
      /// The end on the wall clock: the time since 1970-01-01 00:00 UTC.
      public var timeSince1970: Duration
      /// The boot that the continuous clock counts from.
      public var bootID: BootID?

      /// A deadline, for tests and other stores.
      public init(continuous: ContinuousInstant, timeSince1970: Duration, bootID: BootID?) {
        self.continuous = continuous
        self.timeSince1970 = timeSince1970
        self.bootID = bootID
      }
    }

    /// The whole duration, for ``Countdown/restart()``.
    public var duration: Duration
    public var status: Status
    /// What remained when the record was made.
    public var remaining: Duration
    /// The end of a countdown that counts; nil for others.
    public var deadline: Deadline?
    public var isClockTrusted: Bool

    /// A record, for tests and other stores.
    public init(
      duration: Duration,
      status: Status,
      remaining: Duration,
      deadline: Deadline? = nil,
      isClockTrusted: Bool = true
    ) {
      self.duration = duration
      self.status = status
      self.remaining = remaining
      self.deadline = deadline
      self.isClockTrusted = isClockTrusted
    }

    /// What remains at another moment, maybe of another boot, and whether that is sure.
    func remaining(
      at now: LifecycleInstant,
      boot: BootID?
    ) -> (duration: Duration, isClockTrusted: Bool) {
      guard status == .running, let deadline else { return (max(remaining, .zero), isClockTrusted) }
      let rest = deadline.continuous - now.continuous
      // More than before is left by the clock of another time namespace, though the boot is the same.
      let isVerifiable = boot != nil && deadline.bootID == boot && rest <= remaining
      let duration =
        isVerifiable ? rest : deadline.timeSince1970.clamped - now.timeSince1970.clamped
      return (max(min(duration, remaining), .zero), isClockTrusted && isVerifiable)
    }
  }

  /// The countdown as it is now, to be stored. Any thread.
  public var record: Record {
    let bus = core.queue.bus
    let now = bus.clock.now
    return core.queue.record(of: core, at: now, boot: bus.clock.bootID)
  }

  /// A countdown that goes on where another one was when the record was made: one that ran, runs; one
  /// whose time has come in the meantime has finished.
  ///
  /// ```swift
  /// let restored = Countdown(restoring: record, of: bus)
  /// ```
  ///
  /// - Parameters:
  ///   - record: What was stored. Its durations are taken as those of
  ///     ``init(_:of:tickInterval:inBackground:fileID:filePath:line:column:)`` are.
  ///   - bus: As there.
  ///   - tickInterval: As there.
  ///   - behavior: As there.
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
      record.status,
      remaining: remaining.nanosecondsRoundedUp,
      isClockTrusted: isClockTrusted,
      at: now.continuous.timeSinceBoot.nanoseconds
    )
  }
}

// Encoded and dumped, it has a reading for each clock, as a `LifecycleInstant` has.

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

// `Duration` would show how it is stored: two halves of a number of attoseconds.
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
      ],
      displayStyle: .struct
    )
  }
}
