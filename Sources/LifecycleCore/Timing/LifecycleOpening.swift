/// An opening: the process enters the foreground, for the first time or again.
///
/// A return to the foreground is an opening after a stay in the background. The first opening has
/// no stay, but it may come hours after the launch if the system launched the process in the
/// background.
///
/// To decide whether to load, ask for the age of what is shown: neither a short stay nor a later
/// opening means that it is new.
///
/// ```swift
/// let clock = bus.clock
/// bus.onOpen(in: scope) { _ in
///   if news.age(at: clock.now) >= .seconds(60) { refresh() }
/// }
/// ```
///
/// Becoming inactive and active again, as at a permission alert or in Control Center, is not an
/// opening.
public struct LifecycleOpening: Sendable, Hashable {
  /// The opening's number on its bus: 1, 2, 3, …
  ///
  /// Observers that join in the same visit receive the same opening, which the number shows.
  public let number: Int
  /// The instant of the input that made the process visible, also if an observer receives the
  /// opening later.
  public let instant: LifecycleInstant
  /// The time away before the opening, including the device's sleep; never negative.
  ///
  /// It is the ``BackgroundStay/timeAway`` of the ``stay``. For the first opening, it is the time
  /// since the first phase that the bus delivered, which is the launch if the bus was connected
  /// then.
  public let timeAway: Duration
  /// The stay in the background that the opening ends; nil for the first opening.
  public let stay: BackgroundStay?

  init(
    number: Int,
    after stay: BackgroundStay?,
    at instant: LifecycleInstant,
    launchedAt launch: ContinuousInstant?
  ) {
    self.number = number
    self.instant = instant
    self.stay = stay
    let now = instant.continuous
    timeAway = stay?.timeAway ?? max(now - (launch ?? now), .zero)
  }

  /// A Boolean value that indicates whether the opening is the first one on its bus.
  public var isFirst: Bool { stay == nil }
}

extension LifecycleOpening {
  /// A moment at which an observer receives an opening.
  ///
  /// ```swift
  /// bus.onReturn(after: .seconds(60), at: .active, in: scope) { _ in unlock() }
  /// ```
  @nonexhaustive
  public enum Moment: Sendable, Hashable {
    /// The process becomes visible: `willEnterForeground`.
    case visible
    /// The process becomes active for the first time in this opening: the first `didBecomeActive`.
    ///
    /// An opening that ends before that is not received. This is the moment for what an app must
    /// be active for, such as biometrics, an alert, or the keyboard's focus.
    case active
  }
}

// `Duration` would show its storage: two halves of a number of attoseconds.
extension LifecycleOpening: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "number": number, "instant": instant, "timeAway": Seconds(timeAway),
        "stay": stay as Any,
      ],
      displayStyle: .struct
    )
  }
}
