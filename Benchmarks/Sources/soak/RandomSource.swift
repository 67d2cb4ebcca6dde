import ReactiveLifecycle
import Synchronization

/// A source that reports what a thread lets it report.
final class RandomSource: LifecycleSource {
  let name: LifecycleSourceName
  private let feed = Mutex<LifecycleFeed?>(nil)

  init(_ name: String) { self.name = LifecycleSourceName(rawValue: name) }

  func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
    feed.withLock { $0 = input }
    return {}
  }

  var input: LifecycleFeed? { feed.withLock { $0 } }
}

/// A source that a thread has connected to a bus.
struct ConnectedSource {
  private let source: RandomSource
  private let observed: ObservedBus
  private let connection: LifecycleCancellable

  init(_ name: String, to observed: ObservedBus, as role: LifecycleRole) throws {
    source = RandomSource(name)
    self.observed = observed
    connection = try observed.bus.connect(source, as: role)
  }

  func send(_ kind: LifecycleEvent.Kind, from sender: String) {
    guard let input = source.input else { return }
    observed.inputs.send(kind, from: sender) { kind, metadata in
      let outcome = input.send(kind, metadata: metadata)
      return (outcome.suppressionReason, outcome == .delivered)
    }
  }

  /// Sends an input, and waits for the observers.
  func sendAndWait(_ kind: LifecycleEvent.Kind, from sender: String, _ faults: Faults) {
    guard let input = source.input else { return }
    observed.inputs.send(kind, from: sender) { kind, metadata in
      // Before it, the watchdog ends the process.
      let deadline = ContinuousClock.now + .seconds(3_600)
      let outcome = input.sendAndWait(kind, metadata: metadata, until: deadline)
      faults.check(.whereObserversRun, !outcome.isTimedOut, "\(kind) was not delivered in an hour")
      return (outcome.suppressionReason, outcome == .finished)
    }
  }

  /// Disconnects the source, and checks that it has no more say.
  func disconnect(from sender: String, _ faults: Faults) {
    connection.cancel()
    guard let input = source.input else { return }
    observed.inputs.send(.didBecomeActive, from: sender) { kind, _ in
      let outcome = input.send(kind)
      faults.check(
        .noDoubleFire,
        outcome == .suppressed(.disconnected),
        "an input of a disconnected source: \(outcome)"
      )
      return (outcome.suppressionReason, false)
    }
  }
}
