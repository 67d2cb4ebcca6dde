/// The past events that a late observer receives.
///
/// Catch-up events have the origin ``LifecycleEvent/Origin/catchUp``, the number and the instant of
/// the last delivered event, and no stay. The observer receives only those of the kinds that it
/// observes.
///
/// Not an enumeration, because later versions may have more choices.
public struct LifecycleCatchUp: Sendable, Hashable {
  private enum Choice: String, Sendable, Hashable, CaseIterable {
    case nothing, currentPhase, path
  }

  private let choice: Choice

  private init(_ choice: Choice) {
    self.choice = choice
  }

  /// No events.
  public static let nothing = Self(.nothing)
  /// The last upward step to the current phase: `didBecomeActive` when the process is active.
  public static let currentPhase = Self(.currentPhase)
  /// Every upward step to the current phase, from `didFinishLaunching` on.
  public static let path = Self(.path)

  /// Returns the catch-up events for an observer that joins when `delivered` is the latest state.
  func events(after delivered: DeliveredState) -> [LifecycleEvent] {
    let steps =
      switch choice {
      case .nothing: delivered.phase.upwardPath.prefix(0)
      case .currentPhase: delivered.phase.upwardPath.suffix(1)
      case .path: delivered.phase.upwardPath
      }
    return steps.map {
      LifecycleEvent(
        kind: $0.kind,
        previousPhase: $0.origin,
        phase: $0.target,
        sequenceNumber: delivered.sequenceNumber,
        instant: delivered.instant,
        origin: .catchUp
      )
    }
  }
}

extension LifecycleCatchUp: CaseIterable {
  /// All choices that this version knows.
  public static var allCases: [Self] { Choice.allCases.map(Self.init) }
}

extension LifecycleCatchUp: CustomStringConvertible, CustomReflectable {
  /// The choice's name, such as `currentPhase`.
  public var description: String { choice.rawValue }

  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
