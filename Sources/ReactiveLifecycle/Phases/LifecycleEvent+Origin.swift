extension LifecycleEvent {
  /// The origin of an event.
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
    // Stored by earlier versions, in which no bus sent such an event.
    case "replay": self = .source("replay")
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
