import Dispatch

/// The lifecycle of the process as one ordered stream, delivered on the thread that sends.
///
/// The bus makes one delivery at a time, never two at once: an input that is sent from another
/// thread meanwhile is delivered by the thread that is delivering. Observers are `@Sendable`
/// closures. For view models, use ``LifecycleBus``.
///
/// ```swift
/// let bus = NonisolatedLifecycleBus()
/// bus.addObserver(for: .willTerminate, in: scope) { _ in flush() }
/// ```
public final class NonisolatedLifecycleBus: LifecycleBusProtocol {
  public let core: LifecycleBusCore

  /// Creates a bus whose phase is `unknown`.
  ///
  /// - Parameter clock: The source of the events' instants.
  public init(clock: any LifecycleClock = .system) {
    let queue = DispatchQueue(label: "reactive-lifecycle.delivery")
    core = LifecycleBusCore(context: .sendingThread(queue), clock: clock)
  }

  deinit {
    core.release()
  }
}
