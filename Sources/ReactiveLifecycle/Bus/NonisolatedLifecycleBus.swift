import Dispatch

/// The lifecycle of the process as one ordered stream, delivered on the thread that sends.
///
/// One delivery at a time, never two at once: what is sent meanwhile from another thread is
/// delivered by the thread that is delivering. Observers are `@Sendable` closures. For view models
/// there is ``LifecycleBus``.
///
/// ```swift
/// let bus = NonisolatedLifecycleBus()
/// let token = bus.addObserver(for: .willTerminate) { _ in flush() }
/// ```
public final class NonisolatedLifecycleBus: LifecycleBusProtocol {
  public let core: LifecycleBusCore

  /// A bus whose phase is `unknown`.
  ///
  /// - Parameter clock: Where the instants of events come from.
  public init(clock: any LifecycleClock = .system) {
    let queue = DispatchQueue(label: "reactive-lifecycle.delivery")
    core = LifecycleBusCore(context: .sendingThread(queue), clock: clock)
  }

  deinit {
    core.release()
  }
}
