/// An event in the life of the process, as observers receive it.
///
/// Events are values: they can be stored, compared, encoded, and sent anywhere.
public struct LifecycleEvent: Sendable, Hashable, Codable {
  /// The kind of the event.
  public var kind: Kind
  /// The phase before the event; the same as ``phase`` for notices.
  public var previousPhase: LifecyclePhase
  /// The phase after the event.
  public var phase: LifecyclePhase
  /// The event's number on its bus: 1, 2, 3, … without gaps. Catch-up events carry the number of
  /// the last delivered event.
  public var sequenceNumber: Int
  /// The instant of the input that caused the event.
  public var instant: LifecycleInstant
  /// The origin of the event.
  public var origin: Origin
  /// The stay in the background that the event ends: on ``Kind/willEnterForeground`` after a
  /// ``Kind/didEnterBackground``, nil otherwise.
  public var backgroundStay: BackgroundStay?
  /// Text that the source adds, such as a scene's identifier or a signal's name.
  public var metadata: [String: String]

  /// Creates an event for a test or a recording; the bus creates the events that it delivers.
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
  /// A short description, such as `didEnterBackground (inactive → background) #6`,
  /// `willEnterForeground (background → inactive, away 90 s) #7`, or `systemDidWake (inactive) #8`.
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
