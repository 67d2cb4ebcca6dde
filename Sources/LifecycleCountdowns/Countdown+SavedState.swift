public import LifecycleCore

extension Countdown {
  /// A countdown in a form that outlives the process.
  ///
  /// Store it when the countdown was started, paused, extended or reset, and when ``ends`` has
  /// reported its end; with ``BackgroundBehavior/pause``, also when the process enters the
  /// background and the foreground. Ticks need not be stored: they do not move the end.
  ///
  /// ```swift
  /// let stored = try JSONEncoder().encode(rental.savedState)
  /// // In the next process:
  /// let saved = try JSONDecoder().decode(Countdown.SavedState.self, from: stored)
  /// rental = Countdown(restoring: saved, of: bus)
  /// ```
  ///
  /// A running countdown has its deadline on two clocks. Under the same boot of the machine, the
  /// continuous clock decides, and setting the wall clock changes nothing. After a restart, only
  /// the wall clock is left, which may have been set; the state then indicates that the remaining
  /// time is not verified. In neither case is more time left than when the state was saved. Where
  /// the system does not identify its boots, the two clocks must agree on the moment of the boot;
  /// see <doc:Countdowns>.
  ///
  /// A countdown that is held in the background by ``BackgroundBehavior/pause`` has no deadline. In
  /// the next process it is held until the phase is known, and continues in the foreground from its
  /// remaining time, as if the process had not been in the foreground since. A state that is saved
  /// while the phase is `unknown` is one of the background, because the process may turn out to be
  /// there.
  public struct SavedState: Sendable, Hashable, Codable {
    /// The end of a countdown, on two clocks.
    package struct Deadline: Sendable, Hashable, Codable {
      /// The end on the continuous clock.
      package var continuous: ContinuousInstant
      /// The end on the wall clock: the time since 1970-01-01 00:00 UTC.
      package var timeSince1970: Duration
      /// The boot that the continuous clock counts from.
      package var bootID: BootID?
      /// The time of the wall clock that the countdown counts to, since 1970; nil for a duration.
      package var date: Duration?
    }

    /// The whole duration, for ``Countdown/restart()``.
    public var duration: Duration
    public var status: Status
    /// The remaining time when the state was saved.
    public var remaining: Duration
    /// The end of a countdown that is counting or has finished; nil for others, such as one that is
    /// held in the background.
    package var deadline: Deadline?
    public var isClockTrusted = true
    /// A Boolean value that indicates whether the countdown has finished, and no subscriber of
    /// ``Countdown/ends`` has received the end: the first one in the next process receives it.
    public var isEndPending = false

    /// A Boolean value that indicates whether the countdown is held in the background.
    var isHeld: Bool { status == .running && deadline == nil }

    /// Holds a countdown that was counting in the foreground at its process's last sign of life.
    mutating func hold(at signOfLife: LifecycleInstant, boot: BootID?) {
      guard status == .running, let deadline, deadline.date == nil else { return }
      let (rest, isClockTrusted) = remaining(at: signOfLife, boot: boot)
      guard rest > .zero else { return }
      (remaining, self.isClockTrusted, self.deadline) = (rest, isClockTrusted, nil)
    }

    /// Returns the remaining time at another moment, possibly of another boot, and whether it is
    /// verified. If the countdown has ended, it is the time since the end, negative.
    func remaining(
      at now: LifecycleInstant,
      boot: BootID?
    ) -> (duration: Duration, isClockTrusted: Bool) {
      let hasFinished = status == .finished
      guard hasFinished || status == .running, let deadline else {
        return (max(remaining, .zero), isClockTrusted)
      }
      if let date = deadline.date, !hasFinished {
        return (date.clamped - now.timeSince1970.clamped, false)
      }
      let rest = deadline.continuous - now.continuous
      let restByWallClock = deadline.timeSince1970.clamped - now.timeSince1970.clamped
      // A clock that leaves more time than before has started again.
      let isVerifiable = deadline.bootID.isSameBoot(
        as: boot,
        wallShift: rest - restByWallClock,
        after: remaining.clamped - rest
      )
      let duration = isVerifiable ? rest : restByWallClock
      return (
        min(duration, max(remaining, .zero)), isClockTrusted && (isVerifiable || hasFinished)
      )
    }
  }

  /// The countdown as it is now, to be stored.
  ///
  /// Thread-safe.
  public var savedState: SavedState { core.queue.savedState(of: core) }

  /// Creates a countdown that continues from a saved state.
  ///
  /// A countdown that was running runs. If its time has elapsed in the meantime, it has finished.
  ///
  /// ```swift
  /// rental = Countdown(restoring: saved, of: bus)
  /// ```
  ///
  /// - Parameters:
  ///   - saved: The state that was stored. Its durations are treated like those of
  ///     ``init(_:of:tickInterval:inBackground:fileID:filePath:line:column:)``.
  ///   - bus: The bus, as in that initializer.
  ///   - tickInterval: The time between two ticks, as in that initializer.
  ///   - behavior: The behavior in the background, as in that initializer. The saved state does not
  ///     contain it.
  ///   - instant: The last instant at which the process that saved the state is known to have run,
  ///     such as the `previousSignOfLife` of a journal. With ``BackgroundBehavior/pause``, the
  ///     countdown has not run since then, even if that process was killed in the foreground, and
  ///     continues in the foreground of this one. Store its state at once: the next process knows
  ///     the last sign of life of this one. Other behaviors ignore the instant.
  public convenience init(
    restoring saved: SavedState,
    of bus: some LifecycleBusProtocol,
    tickInterval: Duration? = .seconds(1),
    inBackground behavior: BackgroundBehavior = .catchUp,
    lastSignOfLife instant: LifecycleInstant? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      saved.duration,
      of: bus,
      tickInterval: tickInterval,
      inBackground: behavior,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
    core.queue.restore(core, from: saved, lastSignOfLife: instant)
  }
}

// Encoded and dumped, a deadline has a reading for each clock, as a `LifecycleInstant` has.

extension Countdown.SavedState.Deadline {
  private enum CodingKeys: String, CodingKey {
    case continuous
    case timeSince1970 = "wall"
    case bootID
    case date
  }
}

extension Countdown.SavedState.Deadline: CustomReflectable {
  package var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "continuous": continuous, "wall": Seconds(timeSince1970), "bootID": bootID as Any,
        "date": date.map(Seconds.init) as Any,
      ],
      displayStyle: .struct
    )
  }
}

// A `Duration` would be shown as it is stored: as two halves of a number of attoseconds.
extension Countdown.SavedState: CustomReflectable {
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
