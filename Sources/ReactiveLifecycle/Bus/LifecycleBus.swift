import Dispatch
import OpenCombineShim

/// The lifecycle of the process as one ordered stream, delivered on the main actor.
///
/// Observers are `@MainActor` closures: view models need no annotation and no hop. Sent on the main
/// actor, an input has reached every observer when `send` returns; sent from elsewhere, it follows
/// in order. For programs whose main thread is blocked there is ``NonisolatedLifecycleBus``.
///
/// ```swift
/// let bus = LifecycleBus()
/// let scope = LifecycleScope("screen")
/// bus.addObserver(in: scope) { event, stay in
///   print("away for \(stay.duration)")
/// }
/// bus.send(.didBecomeActive)
/// bus.send(.didEnterBackground)
/// bus.send(.didBecomeActive)
/// ```
///
/// Releasing the bus delivers what was accepted, then finishes its streams.
public final class LifecycleBus: LifecycleBusProtocol {
  public let core: LifecycleBusCore

  /// A bus whose phase is `unknown`.
  ///
  /// - Parameter clock: Where the instants of events come from.
  public init(clock: any LifecycleClock = .system) {
    core = LifecycleBusCore(core: BusCore(context: .mainActor, clock: clock))
  }

  deinit {
    core.core.release()
  }
}

/// The lifecycle of the process as one ordered stream, delivered on the thread that sends.
///
/// One delivery at a time, never two at once: what is sent meanwhile from another thread is
/// delivered by the thread that is delivering. Observers are `@Sendable` closures. For view models
/// there is ``LifecycleBus``.
///
/// ```swift
/// let bus = NonisolatedLifecycleBus()
/// let token = bus.addObserver(for: [.willTerminate]) { _ in flush() }
/// ```
public final class NonisolatedLifecycleBus: LifecycleBusProtocol {
  public let core: LifecycleBusCore

  /// A bus whose phase is `unknown`.
  ///
  /// - Parameter clock: Where the instants of events come from.
  public init(clock: any LifecycleClock = .system) {
    let queue = DispatchQueue(label: "reactive-lifecycle.delivery")
    core = LifecycleBusCore(core: BusCore(context: .sendingThread(queue), clock: clock))
  }

  deinit {
    core.core.release()
  }
}
