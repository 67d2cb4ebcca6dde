import ReactiveLifecycle

/// The cycle that a publisher follows in the background: a burst of values, then a rest, and so on.
///
/// ```swift
/// let cycle = DutyCycle(burst: 10, rest: .seconds(20))
/// ```
public struct DutyCycle: Sendable, Hashable {
  /// The values of a burst that are delivered.
  public enum Delivery: String, Sendable, Hashable, Codable, CaseIterable {
    /// The last value, when the burst is complete or ends early.
    case last
    /// Every value, when it arrives.
    case all
  }

  /// The number of values in a burst; at least 1.
  public let burst: Int
  /// The longest duration of a burst, from its first value; never negative.
  public let burstDuration: Duration
  /// The values of a burst that are delivered.
  public let delivery: Delivery
  /// The duration of the rest after each burst, during which upstream is not subscribed; never
  /// negative.
  public let rest: Duration

  /// Creates a cycle of bursts and rests.
  ///
  /// - Parameters:
  ///   - burst: The number of values in a burst. A number less than 1 is reported at the caller's
  ///     line, and counts as 1.
  ///   - burstDuration: The longest duration of a burst, from its first value; one minute by
  ///     default. If the source stops in the middle of a burst, the burst ends then. A negative
  ///     duration is reported at the caller's line, and counts as zero.
  ///   - delivery: The values of a burst that are delivered.
  ///   - rest: The duration of the rest after each burst. A negative duration is reported at the
  ///     caller's line, and counts as zero.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public init(
    burst: Int,
    within burstDuration: Duration = .seconds(60),
    delivering delivery: Delivery = .last,
    rest: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.burst = max(burst, 1)
    self.burstDuration = max(burstDuration, .zero).clamped
    self.delivery = delivery
    self.rest = max(rest, .zero).clamped
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    if burst < 1 {
      site.report(
        """
        A duty cycle can't have a burst of \(burst) values, so the burst was set to 1. For work \
        that stops in the background, use whilePhase(_:of:) instead.
        """
      )
    }
    if burstDuration < .zero {
      site.report(
        """
        A duty cycle can't have a burst of \(burstDuration.text), so its duration was set to zero. \
        Pass zero or a positive duration.
        """
      )
    }
    if rest < .zero {
      site.report(
        """
        A duty cycle can't have a rest of \(rest.text), so the rest was set to zero. Pass zero or \
        a positive duration.
        """
      )
    }
  }
}

// The mirror of `Duration` shows its storage: two halves of a number of attoseconds.
extension DutyCycle: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "burst": burst,
        "burstDuration": Seconds(burstDuration),
        "delivery": delivery,
        "rest": Seconds(rest),
      ],
      displayStyle: .struct
    )
  }
}
