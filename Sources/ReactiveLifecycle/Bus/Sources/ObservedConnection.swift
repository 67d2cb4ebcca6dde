import LifecycleSupport

/// The connection of a source that lasts while the bus is observed. It may begin and end any number
/// of times.
///
/// `note` is called in the turns of the bus, one call at a time; `end` on any thread.
final class ObservedConnection: Sendable {
  private enum State {
    case idle
    case connected(LifecycleCancellable)
    case ended
  }

  private let connect: @Sendable () throws -> LifecycleCancellable
  private let onFailure: @Sendable (any Error) -> Void
  private let state = Locked(State.idle)

  init(
    connect: @escaping @Sendable () throws -> LifecycleCancellable,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) {
    self.connect = connect
    self.onFailure = onFailure
  }

  private var isEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

  func note(isObserved: Bool) {
    if isObserved { start() } else { replace(with: .idle) }
  }

  /// Ends the connection permanently.
  func end() {
    replace(with: .ended)
  }

  private func start() {
    guard !isEnded else { return }
    do {
      replace(with: .connected(try connect()))
    } catch {
      onFailure(error)
    }
  }

  /// Cancels the connection that is replaced, or the new one if this one has ended meanwhile.
  private func replace(with new: State) {
    let old = state.withLock { state in
      if case .ended = state { return new }
      defer { state = new }
      return state
    }
    if case .connected(let connection) = old { connection.cancel() }
  }
}
