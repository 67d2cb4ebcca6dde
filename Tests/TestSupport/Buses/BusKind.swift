public import LifecycleTesting
public import ReactiveLifecycle
public import Testing

/// Both kinds of bus, so that a test can run on either.
public enum BusKind: CaseIterable, Sendable, CustomTestStringConvertible {
  case mainActor, nonisolated

  public func make(clock: any LifecycleClock = ManualClock()) -> any LifecycleBusProtocol {
    switch self {
    case .mainActor: LifecycleBus(clock: clock)
    case .nonisolated: NonisolatedLifecycleBus(clock: clock)
    }
  }

  public var testDescription: String {
    switch self {
    case .mainActor: "LifecycleBus"
    case .nonisolated: "NonisolatedLifecycleBus"
    }
  }
}

extension LifecycleBusProtocol {
  /// Sends the inputs in turn.
  public func send(all kinds: LifecycleEvent.Kind...) {
    for kind in kinds { send(kind) }
  }
}
