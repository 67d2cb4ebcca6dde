import ReactiveLifecycle

extension DutyCycle {
  /// A rest that has begun.
  public struct Rest: Sendable {
    /// How long the cycle wants it to be.
    public let requested: Duration
    /// How long it lasts, if nothing ends it before. Less than what was requested if the time that
    /// the system grants is over before that.
    public let granted: Duration
    /// Whether the system has granted time for it. If not, the process may be suspended meanwhile.
    public let isGranted: Bool
    private let site: CallSite

    init(requested: Duration, granted: Duration, isGranted: Bool, _ site: CallSite) {
      self.requested = requested
      self.granted = granted
      self.isGranted = isGranted
      self.site = site
    }

    /// Whether it is shorter than requested.
    public var isShortened: Bool { granted < requested }

    /// Reports an issue at the operator's line if the rest is shorter than requested.
    public func report() {
      guard isShortened else { return }
      site.report(
        """
        A duty cycle wants to rest for \(requested.text), but the system grants less: this rest \
        was shortened to \(granted.text). Choose a rest that a background task can last.
        """
      )
    }

    /// How long a rest that began `elapsed` ago is to be, if so much remains of the grant.
    ///
    /// One that fits into that is left as it is. Of a longer one a tenth of what remains, at most a
    /// second, is left for upstream to begin again.
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

// `Duration` would show how it is stored: two halves of a number of attoseconds.
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
