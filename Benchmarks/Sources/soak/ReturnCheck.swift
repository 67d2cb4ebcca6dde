import ReactiveLifecycle
import Synchronization

/// The check of an observer of returns: it receives the stay of the event in delivery, and the
/// value that it captured in its turn of the last `didEnterBackground` (G11).
final class ReturnCheck: Sendable {
  private struct State {
    var captured: Int?
    var captures = 0
  }

  private let state = Mutex(State())
  private let observed: ObservedBus
  private let faults: Faults

  init(of observed: ObservedBus, _ faults: Faults) {
    self.observed = observed
    self.faults = faults
  }

  /// Captures a number that is different each time.
  func capture() -> Int {
    observed.delivery.during {
      state.withLock { state in
        faults.check(.time, state.captured == nil, "captured twice in a stay")
        state.captures += 1
        state.captured = state.captures
        return state.captures
      }
    }
  }

  func receive(_ stay: BackgroundStay, _ captured: Int?) {
    receive(stay)
    let expected = state.withLock { $0.captured.take() }
    faults.check(
      .time,
      captured == expected,
      "received \(captured as Any), but captured \(expected as Any)"
    )
  }

  func receive(_ stay: BackgroundStay) {
    observed.delivery.during {
      // On the way up, the observer that was registered first has received the event.
      let event = observed.delivery.current
      faults.check(
        .time,
        event?.kind == .willEnterForeground && event?.backgroundStay == stay,
        "received the stay \(stay) in the delivery of \(event as Any)"
      )
    }
  }
}
