import LifecycleTesting
import ReactiveLifecycle
import Testing

/// The registrations that both kinds of bus offer, so that a test can run on either.
protocol TestedBus: LifecycleBusProtocol {
  typealias Body = @Sendable (LifecycleEvent) -> Void
  typealias ID = any Hashable & Sendable

  func token(
    _ kinds: [LifecycleEvent.Kind]?,
    _ catchUp: LifecycleCatchUp,
    _ body: @escaping Body
  ) -> LifecycleSubscription

  func scoped(
    _ kinds: [LifecycleEvent.Kind]?,
    _ scope: LifecycleScope,
    _ id: ID?,
    _ catchUp: LifecycleCatchUp,
    _ body: @escaping Body
  ) -> LifecycleSubscription

  func returning(
    _ scope: LifecycleScope,
    _ id: ID?,
    _ body: @escaping @Sendable (LifecycleEvent, BackgroundStay) -> Void
  ) -> LifecycleSubscription

  func capturing<Captured: Sendable>(
    _ scope: LifecycleScope,
    _ id: ID?,
    _ capture: @escaping @Sendable () -> Captured,
    _ body: @escaping @Sendable (LifecycleEvent, BackgroundStay, Captured?) -> Void
  ) -> LifecycleSubscription

  func owned<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    _ kinds: [LifecycleEvent.Kind]?,
    _ id: ID?,
    _ catchUp: LifecycleCatchUp,
    _ body: @escaping @Sendable (Owner, LifecycleEvent) -> Void
  ) -> LifecycleSubscription
}

extension TestedBus {
  func observe(
    for kinds: [LifecycleEvent.Kind]? = nil,
    catchUp: LifecycleCatchUp = .none,
    _ body: @escaping Body
  ) -> LifecycleSubscription {
    token(kinds, catchUp, body)
  }

  @discardableResult
  func observe(
    for kinds: [LifecycleEvent.Kind]? = nil,
    in scope: LifecycleScope,
    id: ID? = nil,
    catchUp: LifecycleCatchUp = .none,
    _ body: @escaping Body
  ) -> LifecycleSubscription {
    scoped(kinds, scope, id, catchUp, body)
  }

  @discardableResult
  func observe<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    for kinds: [LifecycleEvent.Kind]? = nil,
    id: ID? = nil,
    catchUp: LifecycleCatchUp = .none,
    _ body: @escaping @Sendable (Owner, LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    owned(owner, kinds, id, catchUp, body)
  }

  /// Sends the inputs in turn.
  func send(all kinds: LifecycleEvent.Kind...) {
    for kind in kinds { send(kind) }
  }
}

extension LifecycleBus: TestedBus {
  func token(
    _ kinds: [LifecycleEvent.Kind]?,
    _ catchUp: LifecycleCatchUp,
    _ body: @escaping Body
  ) -> LifecycleSubscription {
    addObserver(for: kinds, catchUp: catchUp, using: body)
  }

  func scoped(
    _ kinds: [LifecycleEvent.Kind]?,
    _ scope: LifecycleScope,
    _ id: ID?,
    _ catchUp: LifecycleCatchUp,
    _ body: @escaping Body
  ) -> LifecycleSubscription {
    addObserver(for: kinds, in: scope, id: id, catchUp: catchUp, using: body)
  }

  func returning(
    _ scope: LifecycleScope,
    _ id: ID?,
    _ body: @escaping @Sendable (LifecycleEvent, BackgroundStay) -> Void
  ) -> LifecycleSubscription {
    addObserver(in: scope, id: id, using: body)
  }

  func capturing<Captured: Sendable>(
    _ scope: LifecycleScope,
    _ id: ID?,
    _ capture: @escaping @Sendable () -> Captured,
    _ body: @escaping @Sendable (LifecycleEvent, BackgroundStay, Captured?) -> Void
  ) -> LifecycleSubscription {
    addObserver(in: scope, id: id, capturing: capture, using: body)
  }

  func owned<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    _ kinds: [LifecycleEvent.Kind]?,
    _ id: ID?,
    _ catchUp: LifecycleCatchUp,
    _ body: @escaping @Sendable (Owner, LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    addObserver(owner, for: kinds, id: id, catchUp: catchUp, using: body)
  }
}

extension NonisolatedLifecycleBus: TestedBus {
  func token(
    _ kinds: [LifecycleEvent.Kind]?,
    _ catchUp: LifecycleCatchUp,
    _ body: @escaping Body
  ) -> LifecycleSubscription {
    addObserver(for: kinds, catchUp: catchUp, using: body)
  }

  func scoped(
    _ kinds: [LifecycleEvent.Kind]?,
    _ scope: LifecycleScope,
    _ id: ID?,
    _ catchUp: LifecycleCatchUp,
    _ body: @escaping Body
  ) -> LifecycleSubscription {
    addObserver(for: kinds, in: scope, id: id, catchUp: catchUp, using: body)
  }

  func returning(
    _ scope: LifecycleScope,
    _ id: ID?,
    _ body: @escaping @Sendable (LifecycleEvent, BackgroundStay) -> Void
  ) -> LifecycleSubscription {
    addObserver(in: scope, id: id, using: body)
  }

  func capturing<Captured: Sendable>(
    _ scope: LifecycleScope,
    _ id: ID?,
    _ capture: @escaping @Sendable () -> Captured,
    _ body: @escaping @Sendable (LifecycleEvent, BackgroundStay, Captured?) -> Void
  ) -> LifecycleSubscription {
    addObserver(in: scope, id: id, capturing: capture, using: body)
  }

  func owned<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    _ kinds: [LifecycleEvent.Kind]?,
    _ id: ID?,
    _ catchUp: LifecycleCatchUp,
    _ body: @escaping @Sendable (Owner, LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    addObserver(owner, for: kinds, id: id, catchUp: catchUp, using: body)
  }
}

/// Both kinds of bus.
enum BusKind: CaseIterable, Sendable, CustomTestStringConvertible {
  case mainActor, nonisolated

  func make(clock: any LifecycleClock = ManualClock()) -> any TestedBus {
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
