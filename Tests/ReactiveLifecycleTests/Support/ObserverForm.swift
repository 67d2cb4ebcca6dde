import LifecycleCombine
import ReactiveLifecycle
import Testing

/// Every way to observe a bus.
enum ObserverForm: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case token, scope, owner
  case returning, returningToken, returningOwner, capturing
  case events, publisher, phases, backgroundStays, suppressedInputs
  /// Through an operator: a subscriber, where the streams' own `sink` is none.
  case mapped

  /// Those that are told of each event.
  static let ofEvents: [Self] = [
    .token, .scope, .owner, .events, .publisher, .phases, .mapped,
  ]

  /// Those that end with the bus's streams, at `willTerminate`.
  static let ofStreams = allCases.filter { $0 != .suppressedInputs }

  var testDescription: String { rawValue }

  /// Observes in this form; `body` gets the form's name. A `LifecycleBus` is observed with its
  /// main-actor forms.
  func observe(
    _ bus: any LifecycleBusProtocol,
    _ body: @escaping @Sendable (String) -> Void
  ) -> Registration {
    if let bus = bus as? LifecycleBus, let registration = observe(onMainActor: bus, body) {
      return registration
    }
    let name = rawValue
    let scope = LifecycleScope(name)
    switch self {
    case .token:
      return Registration(token: bus.addObserver { _ in body(name) })
    case .scope:
      return Registration(token: bus.addObserver(in: scope) { _ in body(name) }, scope: scope)
    case .owner:
      let owner = Owner()
      return Registration(token: bus.addObserver(owner) { _, _ in body(name) }, owner: owner)
    case .returning:
      return Registration(token: bus.onReturn(in: scope) { _ in body(name) }, scope: scope)
    case .returningToken:
      return Registration(token: bus.onReturn { _ in body(name) })
    case .returningOwner:
      let owner = Owner()
      return Registration(token: bus.onReturn(owner) { _, _ in body(name) }, owner: owner)
    case .capturing:
      let token = bus.onReturn(in: scope, capturing: { body(name) }) { _, _ in body(name) }
      return Registration(token: token, scope: scope)
    case .events:
      return Registration(cancellable: bus.events.sink { _ in body(name) })
    case .publisher:
      let publisher = bus.publisher(for: .transitions.union([.systemDidWake]))
      return Registration(cancellable: publisher.sink { _ in body(name) })
    case .phases:
      return Registration(cancellable: bus.phases.dropFirst().sink { _ in body(name) })
    case .backgroundStays:
      return Registration(cancellable: bus.backgroundStays.sink { _ in body(name) })
    case .mapped:
      return Registration(cancellable: bus.events.map { $0 }.sink { _ in body(name) })
    case .suppressedInputs:
      return Registration(cancellable: bus.suppressedInputs.sink { _ in body(name) })
    }
  }

  /// Observes with the form's main-actor closure; nil if the form has none.
  private func observe(
    onMainActor bus: LifecycleBus,
    _ body: @escaping @Sendable (String) -> Void
  ) -> Registration? {
    let name = rawValue
    let scope = LifecycleScope(name)
    let called: @MainActor () -> Void = { body(name) }
    switch self {
    case .token:
      return Registration(token: bus.addObserver { _ in called() })
    case .scope:
      return Registration(token: bus.addObserver(in: scope) { _ in called() }, scope: scope)
    case .owner:
      let owner = Owner()
      return Registration(token: bus.addObserver(owner) { _, _ in called() }, owner: owner)
    case .returning:
      return Registration(token: bus.onReturn(in: scope) { _ in called() }, scope: scope)
    case .returningToken:
      return Registration(token: bus.onReturn { _ in called() })
    case .returningOwner:
      let owner = Owner()
      return Registration(token: bus.onReturn(owner) { _, _ in called() }, owner: owner)
    case .capturing:
      let token = bus.onReturn(in: scope, capturing: { called() }) { _, _ in called() }
      return Registration(token: token, scope: scope)
    case .events, .publisher, .phases, .backgroundStays, .suppressedInputs, .mapped:
      return nil
    }
  }
}

/// An observer in a test, and what holds it.
final class Registration {
  var token: LifecycleSubscription?
  var scope: LifecycleScope?
  var owner: Owner?
  var cancellable: AnyCancellable?

  init(
    token: LifecycleSubscription? = nil,
    scope: LifecycleScope? = nil,
    owner: Owner? = nil,
    cancellable: AnyCancellable? = nil
  ) {
    self.token = token
    self.scope = scope
    self.owner = owner
    self.cancellable = cancellable
  }

  /// Cancels, and goes on holding everything.
  func cancel() {
    token?.cancel()
    cancellable?.cancel()
  }
}

/// An owner of observers.
final class Owner: Sendable {}

/// An owner that is not `Sendable`, which only main-actor closures can have.
final class UnsharedOwner {}
