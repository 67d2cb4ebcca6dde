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

extension BusKind {
  /// A process on a bus of this kind that was not launched yet.
  @MainActor
  public func process(clock: ManualClock = ManualClock()) -> LifecycleScript<EitherBus> {
    LifecycleScript(clock: clock, makeBus: { EitherBus(make(clock: $0)) })
  }

  /// A process on a bus of this kind that was launched and is active, of which the transcript is taken.
  @MainActor
  public func activeProcess(clock: ManualClock = ManualClock()) -> LifecycleScript<EitherBus> {
    let process = process(clock: clock)
    process.perform(.launch, .becomeActive)
    process.takeTranscript()
    return process
  }
}

/// A bus of either kind, where a type is wanted.
public final class EitherBus: LifecycleBusProtocol {
  private let bus: any LifecycleBusProtocol

  public init(_ bus: any LifecycleBusProtocol) { self.bus = bus }

  public var core: LifecycleBusCore { bus.core }
}

extension LifecycleBusProtocol {
  /// Sends the inputs in turn.
  public func send(all kinds: LifecycleEvent.Kind...) {
    for kind in kinds { send(kind) }
  }
}
