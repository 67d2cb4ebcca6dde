public import LifecycleCombine

extension Publishers.LifecycleGateBuffering: Codable {
  private enum CodingKeys: CodingKey {
    case policy, limit, whenFull
  }

  private enum PolicyName: String, Codable { case drop, latest, all }

  /// Decodes a buffering.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the policy is not known, or the limit less than 1.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(PolicyName.self, forKey: .policy) {
    case .drop: self = .drop
    case .latest: self = .latest
    case .all:
      let limit = try container.decode(Int.self, forKey: .limit)
      guard limit >= 1 else {
        throw DecodingError.dataCorruptedError(
          forKey: .limit,
          in: container,
          debugDescription: "Expected a limit of at least 1 value but found \(limit)."
        )
      }
      let whenFull = try container.decode(WhenFull.self, forKey: .whenFull)
      self = .all(limit: limit, whenFull: whenFull)
    }
  }

  /// Encodes the policy (`drop`, `latest`, or `all`), and for `all` also the limit and the value to
  /// drop.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch policy {
    case .drop: try container.encode(PolicyName.drop, forKey: .policy)
    case .latest: try container.encode(PolicyName.latest, forKey: .policy)
    case .all(let limit, let whenFull):
      try container.encode(PolicyName.all, forKey: .policy)
      try container.encode(limit, forKey: .limit)
      try container.encode(whenFull, forKey: .whenFull)
    }
  }
}

extension Publishers.LifecycleGateBuffering.WhenFull: Codable {
  /// Decodes `dropOldest` or `dropNewest`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for another text.
  public init(from decoder: any Decoder) throws {
    self.init(choice: try decoder.singleValueContainer().decode(Choice.self))
  }

  /// Encodes `dropOldest` or `dropNewest`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(choice)
  }
}
