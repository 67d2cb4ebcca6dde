package import ReactiveLifecycle

/// Calls UIKit's completion handlers for background URL sessions when a session has no more events.
///
/// UIKit passes such a handler with the events of a session. Each handler is called exactly once,
/// on the main actor.
///
/// ```swift
/// events.handleEvents(forSession: identifier, completionHandler: completionHandler)
/// // In the session's delegate, in urlSessionDidFinishEvents(forBackgroundURLSession:):
/// events.didFinishEvents(forSession: identifier)
/// ```
///
/// Sessions are independent, and are distinguished by their identifiers. The two calls may come in
/// either order: the session that is created for an identifier may have finished before the handler
/// arrives. A finish for which no handler arrives within ten seconds is discarded, so that it does
/// not count for the handler of a later wake.
@MainActor
public final class BackgroundSessionEvents {
  /// The longest time by which a finish may precede its handler.
  private static let longestLead = Duration.seconds(10)

  private let clock: any LifecycleClock
  private var handlers: [String: [() -> Void]] = [:]
  /// The sessions that finished before they had a handler, with the time.
  private var finished: [String: ContinuousInstant] = [:]

  /// Creates an object without handlers.
  public nonisolated convenience init() { self.init(clock: .system) }

  package nonisolated init(clock: any LifecycleClock) {
    self.clock = clock
  }

  /// Keeps a completion handler until its session has no more events.
  ///
  /// Call this method in `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
  ///
  /// - Parameters:
  ///   - identifier: The session's identifier.
  ///   - completionHandler: Called on the main actor, once, possibly before this method returns. A
  ///     second handler for the same session does not replace the first: both are called.
  public func handleEvents(
    forSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    handlers[identifier, default: []].append(completionHandler)
    let finish = finished.removeValue(forKey: identifier)
    if let finish, clock.continuous - finish < Self.longestLead { self.finish(identifier) }
  }

  /// Reports that all events of a session have been delivered.
  ///
  /// Call this method in `urlSessionDidFinishEvents(forBackgroundURLSession:)`. Thread-safe: a
  /// session calls its delegate on a separate queue.
  ///
  /// - Parameter identifier: The session's identifier.
  public nonisolated func didFinishEvents(forSession identifier: String) {
    Task { @MainActor in finish(identifier) }
  }

  private func finish(_ identifier: String) {
    guard let handlers = handlers.removeValue(forKey: identifier) else {
      finished[identifier] = clock.continuous
      return
    }
    for handler in handlers { handler() }
  }
}
