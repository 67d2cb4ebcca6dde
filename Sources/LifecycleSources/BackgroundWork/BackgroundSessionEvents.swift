/// Keeps the completion handlers that UIKit hands over with the events of background URL sessions, and
/// calls each exactly once, on the main actor, when its session has no more events.
///
/// ```swift
/// events.handleEvents(forSession: identifier, completionHandler: completionHandler)
/// // In the session's delegate, in urlSessionDidFinishEvents(forBackgroundURLSession:):
/// events.didFinishEvents(forSession: identifier)
/// ```
///
/// Sessions are apart, by their identifiers. The two calls may come in either order: the session that is
/// made for an identifier may have finished before the handler is there.
@MainActor
public final class BackgroundSessionEvents {
  private var handlers: [String: [() -> Void]] = [:]
  /// The sessions that finished when there was no handler.
  private var finished: Set<String> = []

  /// Without any handler.
  public nonisolated init() {}

  /// Takes a handler: to be called in
  /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
  ///
  /// - Parameters:
  ///   - identifier: The session's.
  ///   - completionHandler: Called once, on the main actor, maybe before this returns. A second one for
  ///     the same session does not take the place of the first: both are called.
  public func handleEvents(
    forSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    handlers[identifier, default: []].append(completionHandler)
    if finished.remove(identifier) != nil { finish(identifier) }
  }

  /// Says that all events of a session have been delivered: to be called in
  /// `urlSessionDidFinishEvents(forBackgroundURLSession:)`. Any thread: a session calls its delegate on
  /// a queue of its own.
  ///
  /// - Parameter identifier: The session's.
  public nonisolated func didFinishEvents(forSession identifier: String) {
    Task { @MainActor in finish(identifier) }
  }

  private func finish(_ identifier: String) {
    guard let handlers = handlers.removeValue(forKey: identifier) else {
      finished.insert(identifier)
      return
    }
    for handler in handlers { handler() }
  }
}
