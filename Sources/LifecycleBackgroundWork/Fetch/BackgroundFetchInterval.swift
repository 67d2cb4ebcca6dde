/// The minimum time between two background fetches.
public enum BackgroundFetchInterval: Sendable, Hashable {
  /// The process is not woken up for fetches.
  case never
  /// The process is woken up as often as the system, or the scheduler, chooses.
  case minimum
  /// At least this time passes between two fetches. A negative duration counts as zero.
  case after(Duration)

  /// The duration that a ``BackgroundFetchHost`` receives.
  public var duration: Duration? {
    switch self {
    case .never: nil
    case .minimum: .zero
    case .after(let duration): max(duration, .zero)
    }
  }
}

extension BackgroundFetchInterval: Codable {
  /// Decodes `never`, `minimum`, or a duration.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for any other text, which it names.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let text = try? container.decode(String.self) else {
      self = .after(try container.decode(Duration.self))
      return
    }
    switch text {
    case "never": self = .never
    case "minimum": self = .minimum
    default:
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "Expected \"never\", \"minimum\", or a duration but found \"\(text)\"."
      )
    }
  }

  /// Encodes `never` or `minimum` as text, and other intervals as the duration.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .never: try container.encode("never")
    case .minimum: try container.encode("minimum")
    case .after(let duration): try container.encode(duration)
    }
  }
}
