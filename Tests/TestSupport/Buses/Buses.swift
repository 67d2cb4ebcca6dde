public import LifecycleCore
import LifecycleSupport
public import LifecycleTesting
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

/// A source that reports what a test tells it to.
public final class TestSource: LifecycleSource {
  public let name: LifecycleSourceName
  private let started = Locked<LifecycleFeed?>(nil)
  private let onStart: @Sendable (LifecycleFeed) throws -> Void
  private let onStop: @Sendable () -> Void

  public init(
    _ name: LifecycleSourceName = "test",
    onStart: @escaping @Sendable (LifecycleFeed) throws -> Void = { _ in },
    onStop: @escaping @Sendable () -> Void = {}
  ) {
    self.name = name
    self.onStart = onStart
    self.onStop = onStop
  }

  /// A source that traces its start and its end.
  public convenience init(_ name: LifecycleSourceName, trace: Trace) {
    self.init(name) { _ in
      trace("\(name) started")
    } onStop: {
      trace("\(name) stopped")
    }
  }

  /// The feed that `connect` gave to the source.
  public var feed: LifecycleFeed { started.withLock { $0! } }

  public func start(_ feed: LifecycleFeed) throws -> @Sendable () -> Void {
    started.withLock { $0 = feed }
    try onStart(feed)
    return onStop
  }
}
