import ReactiveLifecycle
import Synchronization

/// What a subscriber of an operator must see: settled phases that are one step apart and arrive at
/// the end, and events in order.
final class OperatorCheck: Sendable {
  private struct State {
    var phase: LifecyclePhase?
    var number = 0
    var expectsEnd = false
  }

  private let state = Mutex(State())
  private let observed: ObservedBus
  private let faults: Faults
  private let canary: Canary

  init(of observed: ObservedBus, _ faults: Faults, _ census: Census) {
    self.observed = observed
    self.faults = faults
    canary = Canary(census)
  }

  /// Call it after the subscriber of settled phases has subscribed.
  func didSubscribe() {
    let hasEnded = observed.hasEnded
    state.withLock { $0.expectsEnd = !hasEnded }
  }

  func receive(_ phase: LifecyclePhase) {
    state.withLock { state in
      if let last = state.phase {
        faults.check(LegalPath.hasStep(from: last, to: phase), "settled: \(phase) after \(last)")
      }
      state.phase = phase
    }
  }

  func receive(_ event: LifecycleEvent) {
    state.withLock { state in
      faults.check(
        event.sequenceNumber > state.number,
        "while active: event \(event.sequenceNumber) after \(state.number)"
      )
      state.number = event.sequenceNumber
    }
  }

  func checkEnd() {
    let state = state.withLock { $0 }
    faults.check(
      !state.expectsEnd || state.phase == .terminated,
      "settled: the last phase is \(state.phase as Any)"
    )
  }
}
