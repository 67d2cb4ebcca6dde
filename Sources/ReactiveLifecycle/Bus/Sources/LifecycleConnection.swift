public import LifecycleCombine
import LifecycleSupport

extension LifecycleBusProtocol {
  /// Connects a source. The phase that it finds has been reported before this returns, when it is
  /// called where the bus delivers.
  ///
  /// Any number of sources can be connected, at any time, also from inside an observer.
  ///
  /// ```swift
  /// let lock = try bus.connect(session, as: .ceiling)
  /// ```
  ///
  /// - Parameters:
  ///   - source: What to connect.
  ///   - role: What its reports mean for the phase.
  /// - Returns: The connection, which detaches the source when it is cancelled or released.
  /// - Throws: What the source throws when it cannot start.
  public func connect(
    _ source: some LifecycleSource,
    as role: LifecycleRole = .presence
  ) throws -> LifecycleConnection {
    try LifecycleConnection(source, to: core, as: role)
  }
}

/// A source's connection to a bus. It detaches once: when it is cancelled, or released.
public final class LifecycleConnection: Cancellable, Sendable {
  private let input: LifecycleFeed
  private let stop: Locked<(@Sendable () -> Void)?>

  /// - Parameter limit: How far forward a ceiling lets a new bus be before its first transition.
  init(
    _ source: some LifecycleSource,
    to core: LifecycleBusCore,
    as role: LifecycleRole,
    limit: LifecyclePhase = .unknown
  ) throws {
    input = LifecycleFeed(.init(name: source.name, role: role, limit: limit), to: core)
    do {
      stop = Locked(try source.start(input))
    } catch {
      input.disconnect()
      throw error
    }
  }

  deinit {
    cancel()
  }

  /// Detaches the source, and withdraws what it said: the bus moves to the phase that follows from
  /// the others. What the source sends after that is suppressed as `disconnected`. A delivery that
  /// is under way goes on. Any thread.
  public func cancel() {
    guard let stop = stop.withLock({ $0.take() }) else { return }
    input.disconnect()
    stop()
  }
}

extension LifecycleConnection: ScopeMember {
  package func scopeDidEnd() { cancel() }

  package var hasEnded: Bool { stop.withLock { $0 == nil } }
}
