import LifecycleTesting
import ReactiveLifecycle
import Testing

/// Both kinds of bus, so that a test can run on either.
enum BusKind: CaseIterable, Sendable, CustomTestStringConvertible {
  case mainActor, nonisolated

  func make(clock: any LifecycleClock = ManualClock()) -> any LifecycleBusProtocol {
    switch self {
    case .mainActor: LifecycleBus(clock: clock)
    case .nonisolated: NonisolatedLifecycleBus(clock: clock)
    }
  }

  var testDescription: String {
    switch self {
    case .mainActor: "LifecycleBus"
    case .nonisolated: "NonisolatedLifecycleBus"
    }
  }
}

extension LifecycleBusProtocol {
  /// Sends the inputs in turn.
  func send(all kinds: LifecycleEvent.Kind...) {
    for kind in kinds { send(kind) }
  }
}
