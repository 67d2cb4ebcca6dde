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
public struct LifecycleRole: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case participant(LifecycleParticipant)
    case ceiling
  }

  private let kind: Kind

  /// The role of a source that reports on the process as a whole, which is the participant
  /// ``LifecycleParticipant/application``.
  ///
  /// Its `willTerminate` ends the bus.
  public static let presence = participant(.application)

  /// Returns the role of a source that reports on something in the process.
  ///
  /// The sources of a participant share one phase. The participant no longer counts once the last
  /// of them has disconnected, or after its own `willTerminate`, which ends nothing else.
  public static func participant(_ participant: LifecycleParticipant) -> Self {
    Self(kind: .participant(participant))
  }

  /// The role of a source that limits how far forward the bus may be, such as a locked session, a
  /// terminal without focus, or a parent.
  ///
  /// Its `willTerminate` ends the bus.
  public static let ceiling = Self(kind: .ceiling)

  /// The participant that a source reports on; nil for a ceiling.
  package var participant: LifecycleParticipant? {
    if case .participant(let participant) = kind { participant } else { nil }
  }
}

extension LifecycleRole: CustomStringConvertible {
  /// `presence`, `participant window 2`, or `ceiling`.
  public var description: String {
    switch kind {
    case .participant(.application): "presence"
    case .participant(let participant): "participant \(participant)"
    case .ceiling: "ceiling"
    }
  }
}
