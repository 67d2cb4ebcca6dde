/// A question to the observers of a bus: may the process end?
///
/// ```swift
/// bus.onExitRequest(in: scope) { request in
///   guard editor.hasChanges, !request.isCancelled else { return .exit }
///   return await editor.askWhetherToSave() ? .exit : .cancel
/// }
/// ```
public struct LifecycleExitRequest: Sendable, Hashable {
  /// The answer of one observer.
  public enum Response: Sendable, Hashable, CaseIterable {
    /// The observer agrees to the end.
    case exit
    /// The process should continue.
    case cancel
  }

  /// The origin of the request: ``LifecycleEvent/Origin/manual`` if the program itself asks, else
  /// the source that does.
  public var origin: LifecycleEvent.Origin
  /// Text that the sender adds, such as the name of a signal.
  public var metadata: [String: String]
  /// The instant, on the clock of the bus, at which the sender stops waiting for answers; nil if it
  /// waits without limit. If several senders wait when the observer is called, the earliest of
  /// their deadlines.
  public var deadline: ContinuousInstant?
  /// A Boolean value that indicates whether an observer that was asked before has cancelled the
  /// exit, so that there is no need to ask the user.
  public var isCancelled: Bool

  /// Creates a request, for use in a test; the bus creates its requests itself.
  ///
  /// - Parameters:
  ///   - origin: The origin of the request.
  ///   - metadata: Text that the sender adds.
  ///   - deadline: The instant, on the clock of the bus, at which the sender stops waiting; nil if
  ///     it waits without limit.
  ///   - isCancelled: Whether an observer that was asked before has cancelled the exit.
  public init(
    origin: LifecycleEvent.Origin = .manual,
    metadata: [String: String] = [:],
    deadline: ContinuousInstant? = nil,
    isCancelled: Bool = false
  ) {
    self.origin = origin
    self.metadata = metadata
    self.deadline = deadline
    self.isCancelled = isCancelled
  }
}
