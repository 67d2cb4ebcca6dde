/// What a source's reports mean for the phase of its bus.
///
/// The phase is the least of the ceilings and of the most forward participant:
///
/// ```text
///   participants:  application   active      ┐
///                  scene "1"     background  ├ most forward: active ┐
///                  scene "2"     inactive    ┘                      ├ least: inactive
///   ceilings:      session lock  inactive    ────────────────────────┘
/// ```
///
/// With no participant the ceilings alone decide, and with nobody the phase stays as it is. A source has
/// no say until its first transition.
public struct LifecycleRole: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case participant(LifecycleParticipant)
    case ceiling
  }

  private let kind: Kind

  /// The process as a whole is that far forward: the participant ``LifecycleParticipant/application``. Its
  /// `willTerminate` ends the bus.
  public static let presence = participant(.application)

  /// Something in the process is that far forward. Its sources share one phase, and it withdraws
  /// with the last of them, or with its own `willTerminate`, which ends nothing else.
  public static func participant(_ participant: LifecycleParticipant) -> Self {
    Self(kind: .participant(participant))
  }

  /// Nothing may be further forward than that: a locked session, a terminal without focus, a parent.
  /// Its `willTerminate` ends the bus.
  public static let ceiling = Self(kind: .ceiling)

  /// Whom a source reports on; nil for a ceiling.
  var participant: LifecycleParticipant? {
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
