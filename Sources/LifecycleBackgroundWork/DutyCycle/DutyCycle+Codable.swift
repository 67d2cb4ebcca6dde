extension DutyCycle: Codable {
  private enum CodingKeys: CodingKey {
    case burst, delivery, rest
  }

  /// Decodes a cycle.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the burst is less than 1, or the rest less than
  ///   zero.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let burst = try container.decode(Int.self, forKey: .burst)
    let delivery = try container.decode(Delivery.self, forKey: .delivery)
    let rest = try container.decode(Duration.self, forKey: .rest)
    guard burst >= 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .burst,
        in: container,
        debugDescription: "Expected a burst of at least 1 value but found \(burst)."
      )
    }
    guard rest >= .zero else {
      throw DecodingError.dataCorruptedError(
        forKey: .rest,
        in: container,
        debugDescription: "Expected a rest of zero or longer but found \(rest)."
      )
    }
    self.init(burst: burst, delivering: delivery, rest: rest)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(burst, forKey: .burst)
    try container.encode(delivery, forKey: .delivery)
    try container.encode(rest, forKey: .rest)
  }
}
