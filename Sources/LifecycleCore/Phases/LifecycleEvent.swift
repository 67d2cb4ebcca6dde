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

extension LifecycleEvent {
  /// The origin of an event.
  @nonexhaustive
  public enum Origin: Hashable, Sendable {
    /// A connected source with this name reported the event.
    case source(LifecycleSourceName)
    /// The bus filled in a step that the input skipped.
    case synthesized
    /// The program sent the event to the bus itself.
    case manual
    /// The event informs a late observer about the past.
    case catchUp
  }
}

extension LifecycleEvent.Origin: CustomStringConvertible {
  /// `source(NAME)`, or the case's name.
  public var description: String {
    switch self {
    case .source(let name): "source(\(name))"
    case .synthesized: "synthesized"
    case .manual: "manual"
    case .catchUp: "catchUp"
    }
  }
}

extension LifecycleEvent.Origin: Codable {
  /// Decodes an origin from the form that ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError.dataCorrupted` that names the text found.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    switch text {
    case "synthesized": self = .synthesized
    case "manual": self = .manual
    case "catchUp": self = .catchUp
    case _ where text.utf8.starts(with: "source(".utf8) && text.utf8.last == UInt8(ascii: ")"):
      // By bytes: a name may begin with a combining character.
      let name = String(decoding: text.utf8.dropFirst(7).dropLast(), as: UTF8.self)
      self = .source(LifecycleSourceName(rawValue: name))
    default:
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: """
          Expected source(NAME), synthesized, manual, or catchUp but found "\(text)".
          """
      )
    }
  }

  /// Encodes the description as one string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
