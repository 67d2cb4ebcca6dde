import ReactiveLifecycle

extension DutyCycle {
  /// A rest that has begun.
  public struct Rest: Sendable {
    /// The duration that the cycle specifies.
    public let requested: Duration
    /// The duration of the rest if nothing ends it early. It is less than requested if the time
    /// that the system grants ends before that.
    public let granted: Duration
    /// A Boolean value that indicates whether the system has granted time for the rest. If not, the
    /// process may be suspended meanwhile.
    public let isGranted: Bool
    private let site: CallSite

    init(requested: Duration, granted: Duration, isGranted: Bool, _ site: CallSite) {
      self.requested = requested
      self.granted = granted
      self.isGranted = isGranted
      self.site = site
    }

    /// A Boolean value that indicates whether the rest is shorter than requested.
    public var isShortened: Bool { granted < requested }

    /// Reports an issue at the operator's line if the rest is shorter than requested.
    public func report() {
      guard isShortened else { return }
      site.report(
        """
        A duty cycle requested a rest of \(requested.text), but the system grants less time, so \
        the rest was shortened to \(granted.text). Choose a rest that a background task has time \
        for.
        """
      )
    }

    /// Returns the duration of a rest that began `elapsed` ago, if `remaining` is left of the
    /// grant.
    ///
    /// A rest that fits into the grant is not changed. A longer rest is shortened, so that a tenth
    /// of the remaining time, at most a second, is left for upstream to begin again.
    package static func granted(
      of requested: Duration,
      remaining: Duration?,
      elapsed: Duration = .zero
    ) -> Duration {
      guard let remaining = remaining.map({ max($0, .zero).clamped }) else { return requested }
      let longest = (max(elapsed, .zero).clamped + remaining).clamped
      return requested <= longest ? requested : longest - min(remaining / 10, .seconds(1))
    }
  }
}

// The mirror of `Duration` shows its storage: two halves of a number of attoseconds.
extension DutyCycle.Rest: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "requested": Seconds(requested),
        "granted": Seconds(granted),
        "isGranted": isGranted,
      ],
      displayStyle: .struct
    )
  }
}
