extension LifecyclePhase {
  /// A condition on the phase of a process: a phase and all phases on one side of it.
  ///
  /// ```swift
  /// let isVisible = LifecyclePhase.Condition.atLeast(.inactive)
  /// ```
  ///
  /// Operators and calls that depend on the phase of a bus, such as `gate(_:of:buffering:)` and
  /// `waitUntil(_:)`, take a condition. A condition that every phase meets is reported at the
  /// caller's line: `.atLeast(.terminated)`, `.atLeast(.unknown)`, and `.atMost(.active)`.
  public struct Condition: Sendable, Hashable {
    enum Bound: Sendable, Hashable {
      case atLeast(LifecyclePhase)
      case atMost(LifecyclePhase)
    }

    let bound: Bound

    /// Returns the condition that a phase and all phases further forward meet.
    ///
    /// - Parameter phase: The first phase, on the way forward, that meets the condition.
    public static func atLeast(_ phase: LifecyclePhase) -> Self {
      Self(bound: .atLeast(phase))
    }

    /// Returns the condition that a phase and all phases further back meet.
    ///
    /// - Parameter phase: The last phase, on the way forward, that meets the condition.
    ///   `terminated` and `unknown`, the phase before the launch, come before `background`.
    public static func atMost(_ phase: LifecyclePhase) -> Self {
      Self(bound: .atMost(phase))
    }

    /// Returns a Boolean value that indicates whether a phase meets the condition.
    public func contains(_ phase: LifecyclePhase) -> Bool {
      switch bound {
      case .atLeast(let bound): phase >= bound
      case .atMost(let bound): phase <= bound
      }
    }
  }
}

extension LifecyclePhase.Condition {
  /// The transitions that lead to a phase that meets the condition, in the condition's direction:
  /// upward for `atLeast`, downward for `atMost`.
  var transitions: LifecycleEvent.Kinds {
    let candidates =
      switch bound {
      case .atLeast: Transition.upward
      case .atMost: Transition.downward
      }
    return LifecycleEvent.Kinds(candidates.filter { contains($0.target) }.map(\.kind))
  }
}

extension LifecyclePhase.Condition: CustomStringConvertible {
  /// The condition in words, such as "at least active".
  public var description: String {
    switch bound {
    case .atLeast(let phase): "at least \(phase)"
    case .atMost(let phase): "at most \(phase)"
    }
  }
}

// Encoded as an object with one member, such as `{"atLeast": "active"}`.
extension LifecyclePhase.Condition: Codable {
  private enum CodingKeys: String, CodingKey { case atLeast, atMost }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let phase = try container.decodeIfPresent(LifecyclePhase.self, forKey: .atLeast) {
      self = .atLeast(phase)
    } else {
      self = .atMost(try container.decode(LifecyclePhase.self, forKey: .atMost))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch bound {
    case .atLeast(let phase): try container.encode(phase, forKey: .atLeast)
    case .atMost(let phase): try container.encode(phase, forKey: .atMost)
    }
  }
}
