import ReactiveLifecycle
import Synchronization

/// The check of a subscriber of phases or of an operator: phases are one step apart and arrive at
/// the end, and events are in order.
final class OperatorCheck: Sendable {
  private struct State {
    var phase: LifecyclePhase?
    var number = 0
    var expectsEnd = false
  }

  private let state = Mutex(State())
  private let guarantee: Guarantee
  private let observed: ObservedBus
  private let faults: Faults
  private let canary: Canary

  init(
    _ guarantee: Guarantee,
    of observed: ObservedBus,
    _ faults: Faults,
    _ census: SharedCount
  ) {
    self.guarantee = guarantee
    self.observed = observed
    self.faults = faults
    canary = Canary(census)
  }

  /// Call it after the subscriber of phases has subscribed.
  func didSubscribe() {
    let hasEnded = observed.hasEnded
    state.withLock { $0.expectsEnd = !hasEnded }
  }

  func receive(_ phase: LifecyclePhase) {
    state.withLock { state in
      if let last = state.phase {
        faults.check(
          guarantee,
          LegalPath.hasStep(from: last, to: phase),
          "the phase \(phase) after \(last)"
        )
      }
      state.phase = phase
    }
  }

  func receive(_ event: LifecycleEvent) {
    state.withLock { state in
      faults.check(
        guarantee,
        event.sequenceNumber > state.number,
        "event \(event.sequenceNumber) after \(state.number)"
      )
      state.number = event.sequenceNumber
    }
  }

  func checkEnd() {
    let state = state.withLock { $0 }
    faults.check(
      guarantee,
      !state.expectsEnd || state.phase == .terminated,
      "the last phase is \(state.phase as Any)"
    )
  }
}
