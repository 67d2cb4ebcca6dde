extension DutyCycle: Codable {
  private enum CodingKeys: CodingKey {
    case burst, burstDuration, delivery, rest
  }

  /// Decodes a cycle.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the burst is less than 1, or a duration less than
  ///   zero.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let burst = try container.decode(Int.self, forKey: .burst)
    let burstDuration = try container.decode(Duration.self, forKey: .burstDuration)
    let delivery = try container.decode(Delivery.self, forKey: .delivery)
    let rest = try container.decode(Duration.self, forKey: .rest)
    guard burst >= 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .burst,
        in: container,
        debugDescription: "Expected a burst of at least 1 value but found \(burst)."
      )
    }
    for (name, duration, key) in [
      ("burst", burstDuration, CodingKeys.burstDuration), ("rest", rest, .rest),
    ] where duration < .zero {
      throw DecodingError.dataCorruptedError(
        forKey: key,
        in: container,
        debugDescription: "Expected a \(name) of zero or longer but found \(duration)."
      )
    }
    self.init(burst: burst, within: burstDuration, delivering: delivery, rest: rest)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(burst, forKey: .burst)
    try container.encode(burstDuration, forKey: .burstDuration)
    try container.encode(delivery, forKey: .delivery)
    try container.encode(rest, forKey: .rest)
  }
}
