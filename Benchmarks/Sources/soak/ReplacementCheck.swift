import ReactiveLifecycle
import Synchronization

/// The check of observers that replace one another: together they receive each event at most once,
/// in order, and the last one (G12).
final class ReplacementCheck: Sendable {
  private struct State {
    var last: LifecycleEvent?
    var hasObserver = false
  }

  /// The name of a scope with observers that replace one another.
  static let scopeName = "replacing"

  private let observed: ObservedBus
  private let faults: Faults
  private let state = Mutex(State())

  init(of observed: ObservedBus, _ faults: Faults) {
    self.observed = observed
    self.faults = faults
  }

  func receive(_ event: LifecycleEvent) {
    observed.delivery.during {
      check(event)
      if faults.makes(.replacement) { check(event) }
    }
  }

  private func check(_ event: LifecycleEvent) {
    state.withLock { state in
      faults.check(
        .sameObserverAgain,
        event.sequenceNumber > state.last?.sequenceNumber ?? 0,
        "received \(event) after \(state.last as Any)"
      )
      state.last = event
    }
  }

  /// Call it after a registration.
  func didRegister() {
    if !observed.hasEnded { state.withLock { $0.hasObserver = true } }
  }

  /// Checks that there is no more than one observer.
  func checkCount() {
    let count = observed.bus.liveSubscriptions.count { $0.location.scope == Self.scopeName }
    faults.check(.sameObserverAgain, count <= 1, "\(count) observers have the same identifier")
  }

  /// Checks what came last on a bus that ended when no observer was registered.
  func checkEnd() {
    // Not the whole state: the compiler (6.3.1) ends with a fatal error.
    let (last, hasObserver) = state.withLock { ($0.last?.kind, $0.hasObserver) }
    faults.check(
      .sameObserverAgain,
      !hasObserver || last == .willTerminate,
      "the last event was \(last as Any)"
    )
  }
}
