/// The effect of a source's reports on the phase of its bus.
///
/// The phase is the minimum of the ceilings and the most forward participant:
///
/// ```text
///   participants:  application   active      ┐
///                  scene "1"     background  ├ most forward: active ┐
///                  scene "2"     inactive    ┘                      ├ least: inactive
///   ceilings:      session lock  inactive    ────────────────────────┘
/// ```
///
/// Without participants, the ceilings alone determine the phase; with neither, the phase stays as
/// it is. A source does not count until its first transition.
@nonexhaustive
public enum LifecycleRole: Hashable, Sendable {
  /// The role of a source that reports on the process as a whole, which is the participant
  /// ``LifecycleParticipant/application``, or on something in the process.
  ///
  /// The sources of a participant share one phase. A participant no longer counts once the last of
  /// them has disconnected, or after its own `willTerminate`. That of the application ends the bus;
  /// that of another participant ends nothing else.
  case participant(LifecycleParticipant)

  /// The role of a source that limits how far forward the bus may be, such as a locked session, a
  /// terminal without focus, or a parent.
  ///
  /// Its `willTerminate` ends the bus.
  case ceiling

  /// The participant that a source reports on; nil for a ceiling.
  package var participant: LifecycleParticipant? {
    if case .participant(let participant) = self { participant } else { nil }
  }
}

extension LifecycleRole: CustomStringConvertible {
  /// `application`, `participant window 2`, or `ceiling`.
  public var description: String {
    switch self {
    case .participant(.application): "application"
    case .participant(let participant): "participant \(participant)"
    case .ceiling: "ceiling"
    }
  }
}

/// A subject that sources report on together, such as the application, one of its scenes, or a
/// child bus.
///
/// A participant has one phase, no matter which of its sources reported last.
///
/// ```swift
/// extension LifecycleParticipant {
///   static let mainWindow: Self = "main window"
/// }
/// ```
public struct LifecycleParticipant: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: String

  /// Creates the participant with a name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The participant for the process as a whole, which the bus's own
  /// ``LifecycleBusProtocol/send(_:at:metadata:)`` reports on.
  public static let application: Self = "application"
}

extension LifecycleParticipant: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }

  public var description: String { rawValue }
}

// Reflection, which custom-dump uses, shows a participant as plain text.
extension LifecycleParticipant: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}
