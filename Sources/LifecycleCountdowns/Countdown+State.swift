import ReactiveLifecycle

extension Countdown {
  /// The activity of a countdown.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    /// The countdown has not been started, or was cancelled.
    case idle
    case running
    /// The countdown was paused, or is held in the background.
    case paused
    case finished
  }

  /// The state of a countdown.
  public struct State: Sendable, Hashable, Codable {
    public let status: Status
    /// The remaining time: the whole duration while the countdown is idle, zero once it has
    /// finished.
    public let remaining: Duration
    /// A Boolean value that indicates whether the remaining time was measured by clocks that no one
    /// can set.
    ///
    /// It is false for a countdown that continued after a restart of the machine, by the wall clock
    /// alone; see ``Countdown/Record``.
    public let isClockTrusted: Bool

    /// Creates a state, for tests and previews.
    public init(status: Status, remaining: Duration, isClockTrusted: Bool = true) {
      self.status = status
      self.remaining = remaining
      self.isClockTrusted = isClockTrusted
    }
  }

  /// The behavior of a countdown in the background.
  public enum BackgroundBehavior: String, Sendable, Hashable, Codable, CaseIterable {
    /// The countdown continues without a timer.
    ///
    /// Changes are reported on the return.
    case catchUp
    /// The countdown pauses, without a timer, and continues from there on the return.
    case pause
    /// The countdown continues and finishes on time, without ticks.
    ///
    /// For a process that keeps running in the background.
    case finishOnTime
  }
}

// A `Duration` would be shown as it is stored: as two halves of a number of attoseconds.
extension Countdown.State: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "status": status,
        "remaining": Seconds(remaining),
        "isClockTrusted": isClockTrusted,
      ],
      displayStyle: .struct
    )
  }
}
