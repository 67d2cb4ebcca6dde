/// The answers to an exit request.
///
/// An observer that did not answer in time does not cancel the exit, because the system would not
/// wait for it either. A sender that can afford to stay checks ``unanswered``, too.
///
/// ```swift
/// let outcome = await bus.requestExit(timeout: .seconds(5))
/// if outcome.isCancelled { print("cancelled by \(outcome.cancelledBy)") } else { quit() }
/// ```
public struct LifecycleExitOutcome: Sendable, Hashable {
  /// The observers that cancelled the exit, in the order in which they were asked.
  public var cancelledBy: [LifecycleObserverLocation]
  /// The observers that did not answer in time, in the order in which they are asked: the one that
  /// was being asked, and those after it, which were not asked. Those that have left are not among
  /// them.
  public var unanswered: [LifecycleObserverLocation]

  /// Creates an outcome; by default, that of a request to which all agreed.
  ///
  /// - Parameters:
  ///   - cancelledBy: The observers that cancelled the exit.
  ///   - unanswered: The observers that did not answer in time.
  public init(
    cancelledBy: [LifecycleObserverLocation] = [],
    unanswered: [LifecycleObserverLocation] = []
  ) {
    self.cancelledBy = cancelledBy
    self.unanswered = unanswered
  }

  /// A Boolean value that indicates whether an observer cancelled the exit.
  public var isCancelled: Bool { !cancelledBy.isEmpty }
}

extension LifecycleExitOutcome: CustomStringConvertible {
  /// `exit`, or `cancelled by Editor.swift:12`, followed by `no answer from Upload.swift:34` if
  /// observers did not answer.
  public var description: String {
    var parts = [isCancelled ? "cancelled by \(Self.list(cancelledBy))" : "exit"]
    if !unanswered.isEmpty { parts.append("no answer from \(Self.list(unanswered))") }
    return parts.joined(separator: "; ")
  }

  private static func list(_ locations: [LifecycleObserverLocation]) -> String {
    locations.map(\.description).joined(separator: ", ")
  }
}
