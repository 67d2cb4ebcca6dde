/// An opening: the process enters the foreground, for the first time or again.
///
/// A return to the foreground is an opening after a stay in the background. The first opening has
/// no stay, but it may come hours after the launch if the system launched the process in the
/// background.
///
/// ```swift
/// bus.onOpen(in: scope) { opening in
///   if opening.isFirst || opening.timeInBackground >= .seconds(60) { refresh() }
/// }
/// ```
public struct LifecycleOpening: Sendable, Hashable {
  /// The time that the process was in the background before the opening, including the device's
  /// sleep; never negative.
  ///
  /// It is the duration of the ``stay``. For the first opening, it is the time since the first
  /// phase that the bus delivered, which is the launch if the bus was connected then.
  public let timeInBackground: Duration
  /// The stay in the background that the opening ends; nil for the first opening.
  public let stay: BackgroundStay?

  init(
    after stay: BackgroundStay?,
    at instant: ContinuousInstant,
    launchedAt launch: ContinuousInstant?
  ) {
    self.stay = stay
    timeInBackground = stay?.duration ?? max(instant - (launch ?? instant), .zero)
  }

  /// A Boolean value that indicates whether the opening is the first one on its bus.
  public var isFirst: Bool { stay == nil }
}

// `Duration` would show its storage: two halves of a number of attoseconds.
extension LifecycleOpening: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["timeInBackground": Seconds(timeInBackground), "stay": stay as Any],
      displayStyle: .struct
    )
  }
}
