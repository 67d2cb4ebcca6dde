/// One thing that happened to the process, as observers see it.
///
/// Events are values: they can be stored, compared, encoded, and sent anywhere.
public struct LifecycleEvent: Sendable, Hashable, Codable {
  /// What happened.
  public var kind: Kind
  /// The phase before the event; the same as ``phase`` for notices.
  public var previousPhase: LifecyclePhase
  /// The phase after the event.
  public var phase: LifecyclePhase
  /// The event's number on its bus: 1, 2, 3, … without gaps. Catch-up events carry the number of
  /// the last delivered event, or 0 before the first.
  public var sequenceNumber: Int
  /// When the input that caused the event happened.
  public var instant: LifecycleInstant
  /// Where the event came from.
  public var origin: Origin
  /// How long the process was in the background: on ``Kind/willEnterForeground`` after a
  /// ``Kind/didEnterBackground``, nil otherwise.
  public var backgroundStay: BackgroundStay?
  /// Text that the source adds, such as a scene's identifier or a signal's name.
  public var metadata: [String: String]

  /// An event as a test or a recording makes it; the bus makes its own.
  public init(
    kind: Kind,
    previousPhase: LifecyclePhase,
    phase: LifecyclePhase,
    sequenceNumber: Int,
    instant: LifecycleInstant,
    origin: Origin,
    backgroundStay: BackgroundStay? = nil,
    metadata: [String: String] = [:]
  ) {
    self.kind = kind
    self.previousPhase = previousPhase
    self.phase = phase
    self.sequenceNumber = sequenceNumber
    self.instant = instant
    self.origin = origin
    self.backgroundStay = backgroundStay
    self.metadata = metadata
  }
}

extension LifecycleEvent: CustomStringConvertible {
  /// The event in short: `didEnterBackground (active → background) #6`, or
  /// `willEnterForeground (background → inactive, away 90 s) #7`, or `systemDidWake (active) #8`.
  ///
  /// ```swift
  /// bus.addObserver(in: scope) { event in print(event) }
  /// ```
  public var description: String {
    let phases = previousPhase == phase ? "\(phase)" : "\(previousPhase) → \(phase)"
    let stay = backgroundStay.map { ", \($0)" } ?? ""
    return "\(kind) (\(phases)\(stay)) #\(sequenceNumber)"
  }
}
