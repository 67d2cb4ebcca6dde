import LifecycleCombine
import ReactiveLifecycle
import Synchronization

/// The check of a bus that is released instead of being ended: a subscriber receives everything
/// that the bus has accepted, then the completions (G8).
final class ShortLivedBus: Sendable {
  private struct State {
    var last = 0
    var completions = 0
  }

  private let state = Mutex(State())
  private let eventCount: Int?
  private let faults: Faults
  private let canary: Canary
  /// Holds the subscriptions, which refer to this object.
  private let scope = LifecycleScope()

  /// Makes a bus, sends to it, and releases it.
  ///
  /// - Parameters:
  ///   - inputs: The inputs of the bus.
  ///   - eventCount: The number of events that it delivers; nil if it is not known.
  ///   - makeBus: Makes a bus that nothing else refers to.
  init(
    sending inputs: [LifecycleEvent.Kind],
    eventCount: Int?,
    _ faults: Faults,
    _ census: SharedCount,
    makeBus: () -> any LifecycleBusProtocol
  ) {
    self.eventCount = eventCount
    self.faults = faults
    canary = Canary(census)
    let released = use(makeBus(), inputs)
    faults.check(.theEnd, released() == nil, "a released bus is kept alive")
  }

  private func use(
    _ bus: any LifecycleBusProtocol,
    _ inputs: [LifecycleEvent.Kind]
  ) -> () -> (any LifecycleBusProtocol)? {
    bus.events.sink { [self] _ in
      complete()
    } receiveValue: { [self] event in
      receive(event)
    }
    .store(in: scope)
    bus.suppressedInputs.sink { [self] _ in
      complete()
    } receiveValue: { [self] _ in
      faults.check(.theEnd, state.withLock { $0.completions } < 2, "suppressed after the end")
    }
    .store(in: scope)
    for kind in inputs { bus.send(kind) }
    return { [weak bus] in bus }
  }

  private func receive(_ event: LifecycleEvent) {
    state.withLock { state in
      faults.check(
        .theEnd,
        event.sequenceNumber > state.last && state.completions == 0,
        "\(event) after number \(state.last) and \(state.completions) completions"
      )
      state.last = event.sequenceNumber
    }
  }

  private func complete() { state.withLock { $0.completions += 1 } }

  /// A Boolean value that indicates whether the streams of events and of suppressed inputs have
  /// finished.
  var isFinished: Bool { state.withLock { $0.completions == 2 } }

  /// Checks the number of events. Call it when the streams have finished.
  func checkEnd() {
    let last = state.withLock { $0.last }
    faults.check(
      .theEnd,
      last == eventCount ?? last,
      "\(last) events were delivered before the release, not \(eventCount ?? 0)"
    )
    scope.end()
  }
}
