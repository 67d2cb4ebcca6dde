import ReactiveLifecycle

/// How a publisher works in the background: a burst of values, then a rest, and so on.
///
/// ```swift
/// let cycle = DutyCycle(burst: 10, rest: .seconds(20))
/// ```
public struct DutyCycle: Sendable, Hashable {
  /// Which values of a burst are handed out.
  public enum Delivery: String, Sendable, Hashable, Codable, CaseIterable {
    /// The last one, when the burst is complete, or is ended early.
    case last
    /// Each, as it comes.
    case all
  }

  /// How many values make a burst; at least 1.
  public let burst: Int
  /// Which of them are handed out.
  public let delivery: Delivery
  /// How long upstream is left alone after a burst; not negative.
  public let rest: Duration

  /// A cycle of bursts and rests.
  ///
  /// - Parameters:
  ///   - burst: How many values make a burst. Less than 1 is reported at the caller's line, and
  ///     counts as 1.
  ///   - delivery: Which of them are handed out.
  ///   - rest: How long upstream is left alone after a burst. Less than zero is reported at the
  ///     caller's line, and counts as zero.
  public init(
    burst: Int,
    delivering delivery: Delivery = .last,
    rest: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.burst = max(burst, 1)
    self.delivery = delivery
    self.rest = max(rest, .zero).clamped
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    if burst < 1 {
      site.report(
        """
        The burst of a duty cycle can't be of \(burst) values: it was set to 1. Use \
        whilePhase(_:of:) for work that stops in the background.
        """
      )
    }
    if rest < .zero {
      site.report("The rest of a duty cycle can't last \(rest.text): it was set to zero.")
    }
  }
}

// `Duration` would show how it is stored: two halves of a number of attoseconds.
extension DutyCycle: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "burst": burst,
        "delivery": delivery,
        "rest": Seconds(rest),
      ],
      displayStyle: .struct
    )
  }
}
