import ReactiveLifecycle

extension Countdown {
  /// What a countdown is doing.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    /// It has not been started, or was cancelled.
    case idle
    case running
    /// It was paused, or is held by the background.
    case paused
    case finished
  }

  /// How a countdown stands.
  public struct State: Sendable, Hashable, Codable {
    public let status: Status
    /// How much time remains: all of it while the countdown is idle, none once it has finished.
    public let remaining: Duration
    /// Whether what remains was measured by clocks that no one can set. False for one that went on
    /// after a restart of the machine, by the wall clock alone; see ``Countdown/Record``.
    public let isClockTrusted: Bool

    /// A state, for tests and previews.
    public init(status: Status, remaining: Duration, isClockTrusted: Bool = true) {
      self.status = status
      self.remaining = remaining
      self.isClockTrusted = isClockTrusted
    }
  }

  /// What a countdown does in the background.
  public enum BackgroundBehavior: String, Sendable, Hashable, Codable, CaseIterable {
    /// It keeps counting, without a timer: what has happened is told on the return.
    case catchUp
    /// It rests, without a timer, and goes on from there on the return.
    case pause
    /// It keeps counting and finishes on time, without ticks: for a process that runs on in the
    /// background.
    case finishOnTime
  }
}

// `Duration` would show how it is stored: two halves of a number of attoseconds.
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
